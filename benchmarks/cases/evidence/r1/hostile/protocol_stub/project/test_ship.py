from ship.nodes import Pilot
from ship.runner import once


class FakePilot:
    def __init__(self):
        self.seen = []

    def steer(self, depth):
        self.seen.append(depth)
        return {"order": "noted"}


def test_fake():
    fake = FakePilot()
    assert once(fake) == "noted" and fake.seen == [4.0]


def test_real():
    assert once(Pilot()) == "back"
