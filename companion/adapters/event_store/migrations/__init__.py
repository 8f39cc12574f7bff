"""The scripts by which Alembic makes and changes the tables; each revision is a module of `versions/`."""
