"""Which input is which button of the box: read, assigned at the box by pressing it, kept. Part of `app`."""
