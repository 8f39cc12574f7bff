"""Scenes as pictures for the OLED. Pure; knows no chip."""
