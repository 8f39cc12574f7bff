"""Parts of a box without hardware: buttons, scripts, a journal that ends with the process."""
