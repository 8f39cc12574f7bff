"""What a box loads when it starts, loaded before: see `warm`. Games are left to whoever plays them."""

from __future__ import annotations

from importlib import import_module

for _name in ("companion.cli.main", "companion.config.run_options", "companion.app.simulated", "companion.app.run"):
    import_module(_name)
