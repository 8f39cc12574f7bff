"""What an event prints: pairings, table sheets, standings, as PDF on A4 or Letter. Needs fpdf2, which a desk has."""
