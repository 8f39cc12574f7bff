"""The revisions, one after the other. One that has been released is never changed: the next one is written."""
