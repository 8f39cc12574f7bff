"""Settings and files that people write: read strictly, written with comments. Opens no device."""
