"""An event as its log has it so far: who is there, what was drawn, which tables have come to what."""
