"""What a diff does, whom it touches, what the voices amount to."""
