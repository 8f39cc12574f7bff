"""Buttons in browsers: panels and phones as a source of presses."""
