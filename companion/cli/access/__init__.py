"""Commands for whoever looks after who may do what at the box."""
