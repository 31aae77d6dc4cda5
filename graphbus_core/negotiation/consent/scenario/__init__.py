"""What is to be decided, from each form it comes in."""
