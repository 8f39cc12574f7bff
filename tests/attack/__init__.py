"""Attacks on the box from its own machine: clients that misbehave, bounded in count and time, on loopback only."""
