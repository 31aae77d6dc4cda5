"""Where unreviewed code runs, and the guard of the paths that may be written."""
