from datetime import date

from podcast.badge import badge
from podcast.catalogue import Catalogue

c = Catalogue()
for day in range(1, 6):
    c.add("Bread", f"Loaf {day}", date(2024, 5, day))
assert badge(c, "Bread", date(2024, 5, 1)) == "5", badge(c, "Bread", date(2024, 5, 1))
assert badge(c, "Bread", date(2024, 6, 1)) == "", badge(c, "Bread", date(2024, 6, 1))
