"""The course of a turn: what is asked, what each line does, what follows by itself, what is set by hand. Pure."""
