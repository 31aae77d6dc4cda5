"""What was committed, and taking it back: the records, whose project they belong to, the text reversed."""
