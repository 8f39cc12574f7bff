"""The rules of Les Apaches de Paris (`docs/games/les-apaches.md`): a frozen state, and what a line makes of it."""
