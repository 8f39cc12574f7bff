"""Encrypted pages: the box's own certificate authority, its server certificate, and how phones come to trust them."""
