"""What one guest may take of the web server: places, bytes, time; at a limit the pages go, never the refereeing."""
