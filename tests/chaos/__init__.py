"""A whole event at which broker, desk, boxes and network are killed, stopped and cut at random: `make chaos`."""
