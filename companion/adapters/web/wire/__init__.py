"""What goes over the wire, and to whom. Knows no server."""
