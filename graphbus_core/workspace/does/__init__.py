"""What a front end sets going, and what waits."""
