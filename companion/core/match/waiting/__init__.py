"""Presses that wait: for their card, face down for the others, or for the disk. Pure; knows no game."""
