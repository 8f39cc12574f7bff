"""One match: how it comes to be, when its races close, what waits for a card; the stages around it. Knows no knob."""
