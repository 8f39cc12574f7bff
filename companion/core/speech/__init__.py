"""What is said aloud: utterances, how pressing each is, and the queue in which they wait for the one voice. Pure."""
