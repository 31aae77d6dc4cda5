"""Where unreviewed code runs, and the door to the files."""
