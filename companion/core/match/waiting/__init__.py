"""Presses that wait: for their card, or for the disk. Pure; knows no game."""
