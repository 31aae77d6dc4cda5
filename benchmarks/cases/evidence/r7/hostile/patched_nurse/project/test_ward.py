import nurse
from ward import Ward


def test_round():
    assert Ward().round_("ibu") == 2


def test_what_is_given(monkeypatch):
    given = []

    def note(self, amount):
        given.append(amount)
        return {"tablets": 0}

    monkeypatch.setattr(nurse.Nurse, "give", note)
    Ward().round_("ibu")
    assert given == [400]
