"""The link of box and desk on real brokers: one contract for all of them."""
