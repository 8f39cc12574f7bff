"""The command `companion tournament`: the desk of a tournament."""
