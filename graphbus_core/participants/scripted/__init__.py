"""From a file: scripts, transcripts, recordings."""
