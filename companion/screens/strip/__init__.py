"""A race as a photo finish: what a strip has is laid out once as shapes, which are then written as SVG or as PDF."""
