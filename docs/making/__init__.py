"""How `make docs` builds the site: what the pages take from the tree, drawings of state tables, the check of links."""
