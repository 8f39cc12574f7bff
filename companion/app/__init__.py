"""The one place that knows both the core and the adapters: puts a box together and runs it."""
