"""Scenes, records and health as sentences and lines. Pure."""
