"""What a Raspberry Pi's firmware reads before there is a system: `config.txt`, `cmdline.txt`. Knows no settings of the
box; who edits says what the box needs of the header."""
