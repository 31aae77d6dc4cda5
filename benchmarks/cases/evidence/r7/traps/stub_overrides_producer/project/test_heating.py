from heating import Heating
from thermostat import Thermostat


class Wishes(Thermostat):
    def report(self):
        return {"reading": 21.0, "room": "hall"}


def test_flow():
    wish = Wishes().report()
    assert Heating().plan(target=wish["reading"], room=wish["room"]) == {"flow": 36.5}
