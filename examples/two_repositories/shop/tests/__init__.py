"""What holds the shop to what it says."""
