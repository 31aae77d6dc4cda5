import io

from home.diary import Diary
from home.house import House


def test_every_movement_once():
    file = io.StringIO()
    diary = Diary(file)
    for room, at in [("hall", 7), ("hall", 7), ("bath", 7), ("hall", 8)]:
        diary.moved(room=room, at=at)
    assert file.getvalue() == "7 hall\n7 bath\n8 hall\n"


def test_house_without_diary():
    house = House()
    house.sensor("hall", 7)
    assert house.lamp.on


def test_house_with_diary_still_has_light():
    house = House(io.StringIO())
    house.sensor("hall", 7)
    assert house.lamp.on
