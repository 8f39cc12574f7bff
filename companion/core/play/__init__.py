"""The running box without its devices: seating, match, menus, commands. Pure."""
