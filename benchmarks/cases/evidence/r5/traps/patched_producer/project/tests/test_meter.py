from unittest.mock import patch

from sound.nodes import Meter, Mic


@patch.object(Mic, "hear", lambda self, room: {"level": 60.0})
def test_leds():
    heard = Mic().hear("hall")
    assert Meter().show(db=heard["level"]) == {"leds": 6}
