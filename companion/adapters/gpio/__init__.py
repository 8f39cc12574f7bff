"""The panel's lines: buttons and knob by libgpiod 2 or by gpiozero, and the buzzer.

Nothing here knows a colour, a game or a setting's file: lines have labels and GPIO numbers. Threads: see `README.md`
beside this package.
"""
