"""One match as it is played: when its races close, what waits for a card, its state for displays. Knows no knob."""
