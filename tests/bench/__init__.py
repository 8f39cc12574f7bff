"""`make bench`: what the README says in numbers. Each module measures one thing and gives a `Measured`."""
