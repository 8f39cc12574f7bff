"""Switch scanning: things are offered one after another, and a switch picks. Pure; knows no game and no menu."""
