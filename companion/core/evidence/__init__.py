"""The raw edges around each race: kept, written as bytes that a stranger can check, and read again. Pure."""
