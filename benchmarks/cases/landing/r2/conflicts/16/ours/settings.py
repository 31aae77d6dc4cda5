"""Settings."""

MAX_ROWS = 50
NAME = "app"
