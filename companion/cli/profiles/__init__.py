"""Profiles of people: list, export, import, cards, delete."""
