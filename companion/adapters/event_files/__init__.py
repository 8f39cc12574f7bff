"""Files of an event for spreadsheets and other programs (CSV): players in and out, pairings and standings out."""
