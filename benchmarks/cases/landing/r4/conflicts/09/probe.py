from datetime import date
from feed import entry

assert entry({"title": "A b", "author": "Ada", "day": date(2024, 2, 3)})["id"].endswith("a-b")
