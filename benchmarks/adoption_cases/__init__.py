"""Ten public projects, what a person read in them, and breaks that are put into them."""
