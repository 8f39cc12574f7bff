"""The clock in a whole box: presses, knob, commands; what they write and what is then left."""
