"""`make bench`: what `docs/accuracy.md` says in numbers. Each part measures one thing and gives a `Measured`."""
