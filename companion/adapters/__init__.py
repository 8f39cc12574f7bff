"""The world behind the ports: pins, displays, sound, the journal. Knows no game; adapters do not know each other."""
