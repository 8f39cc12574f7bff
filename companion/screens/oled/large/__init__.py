"""The same scenes for people across the table: letters 16 pixels high, one fact a picture, pictures that take turns."""
