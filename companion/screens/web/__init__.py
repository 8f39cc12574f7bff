"""Sessions and records as documents for pages. Pure."""
