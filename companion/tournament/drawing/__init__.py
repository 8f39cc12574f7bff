"""Who sits where in a round: sizes of tables, byes, the drawing, what it costs, and what no drawing may do."""
