"""Cases that judge what the rules do with evidence, and without: data first, one file that turns it into projects."""
