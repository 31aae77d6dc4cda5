from geocoder import Geocoder
from map import Map


def test_url():
    point = Geocoder().locate("Bern")["point"]
    assert Map().pin(position=point[::-1])["url"].endswith("@46.95,7.44,12z")
