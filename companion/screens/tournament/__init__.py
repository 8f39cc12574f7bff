"""What people see of a tournament: documents for the desk's pages, made of the desk as it stands."""
