"""What a table's sealed record comes to. Knows no game by name, and believes nothing that a box concluded."""
