"""The letters of the pictures: what a typeface can do, and the large one."""
