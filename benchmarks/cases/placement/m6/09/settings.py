"""What the warehouse agreed on."""
SITE = "KN2"
CHECK_WEIGHTS = (3, 1)
last_batch = 0
AISLES = ("A", "B", "C")
SHELVES = 4
