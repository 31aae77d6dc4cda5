"""Two versions of a contract: what changed, whom it breaks."""
