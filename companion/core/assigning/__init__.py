"""Which input is which button: asked for at the box, and done to every edge on its way. Pure."""
