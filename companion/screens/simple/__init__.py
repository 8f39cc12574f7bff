"""A scene in simple words, one fact at a time: for displays, pages and voices. Pure."""
