"""The help pages: prose, rules, words and settings as HTML. Pure; opens no file and knows no game by name."""
