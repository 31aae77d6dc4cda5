"""What a front end is shown."""
