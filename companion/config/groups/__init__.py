"""Groups of settings that have a module of their own. Frozen values; opens nothing."""
