"""Commands that mend what a box keeps."""
