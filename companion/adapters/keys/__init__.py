"""The box's Ed25519 key in its state directory, and the check of signatures by anybody's."""
