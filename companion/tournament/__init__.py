"""An event of many boxes, as pure functions of its log: no network, no database, no clock, no page."""
