from unittest.mock import patch

from irrigation import Irrigation
from weather import Weather


@patch.object(Weather, "now", return_value={"place": "field", "temp": 31.0, "soil_temp": 18.0})
def test_cool_soil(now):
    seen = Weather().now("field")
    assert Irrigation().plan(place=seen["place"], soil_temp=seen["soil_temp"])["minutes"] == 10
