"""What the box tells about itself: help pages and demonstrations. Part of `app`: it opens the files."""
