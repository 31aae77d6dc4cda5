import pytest

from alerts.escalate import NobodyReached, escalate

INCIDENT = {"id": "I-1", "what": "disk full", "host": "db1"}


class Stub:
    def __init__(self, reachable):
        self.reachable = reachable
        self.tried = []

    def send(self, to, subject, body):
        self.tried.append((to, subject, body))
        return to in self.reachable


def test_second_is_reached():
    mailer = Stub({"bob", "eve"})
    assert escalate(mailer, ["ada", "bob", "eve"], INCIDENT) == "bob"
    assert mailer.tried[-1] == ("bob", "incident I-1", "disk full on db1")


def test_nobody():
    with pytest.raises(NobodyReached):
        escalate(Stub(set()), ["ada"], INCIDENT)
