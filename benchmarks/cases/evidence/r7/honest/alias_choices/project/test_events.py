from events import LevelEvent
from pump import Pump
from tank import Tank


def test_row_of_the_tank():
    assert LevelEvent.model_validate(Tank().level()).volume == 180.0


def test_full():
    assert Pump().decide(700.0) == {"pump": False}
