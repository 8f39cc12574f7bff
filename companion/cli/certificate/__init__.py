"""`companion certify`: the stamps of every line, measured with a loop of wire, sealed and shown."""
