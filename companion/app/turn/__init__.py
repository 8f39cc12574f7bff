"""What a turn of the box's loop goes through: sources that are read, effects that are done, displays that show."""
