"""What stands for a while, and what changes while nobody does anything: how long, and until when."""
