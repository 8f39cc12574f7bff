"""The messages of games, found in their code, as templates of catalogues: `python -m companion.testing.extraction`."""
