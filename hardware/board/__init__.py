"""The header board: its circuit, its schematic picture, its layout."""
