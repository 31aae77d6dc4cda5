"""The journalled write to the disk."""
