"""Who plays here: names that stay, evenings, and what many judged records say of each person. Pure."""
