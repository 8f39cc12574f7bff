"""What is kept and judged of a match: state, what is asked, what each line does, what follows by itself. Pure."""
