"""An event in the browser: the desk, its boxes, and the three who look at its pages."""
