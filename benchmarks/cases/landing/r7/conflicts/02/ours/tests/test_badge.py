from datetime import date

from podcast.badge import badge
from podcast.catalogue import Catalogue


def test_badge_counts_episodes_since_last_visit():
    c = Catalogue()
    for day in (1, 5, 9):
        c.add("Bread", f"Loaf {day}", date(2024, 5, day))
    assert badge(c, "Bread", date(2024, 5, 4)) == "2"
