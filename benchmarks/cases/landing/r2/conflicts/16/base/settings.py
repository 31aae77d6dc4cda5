"""Settings."""

LIMIT = 50
NAME = "app"
