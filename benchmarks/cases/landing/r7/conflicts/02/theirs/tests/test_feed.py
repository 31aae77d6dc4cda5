from datetime import date

from podcast.catalogue import Catalogue
from podcast.feed import feed


def test_feed_lists_oldest_first():
    c = Catalogue()
    c.add("Rivers", "Elbe", date(2024, 3, 2))
    c.add("Rivers", "Rhine & Main", date(2024, 2, 1))
    xml = feed(c, "Rivers")
    assert xml.index("Rhine &amp; Main") < xml.index("Elbe")
