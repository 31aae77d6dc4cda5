import audit


class FakeJournal:
    lines = []

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass

    def write(self, text):
        self.lines.append(text)


def test_record(monkeypatch):
    monkeypatch.setattr(audit, "Journal", FakeJournal)
    audit.record("a.log", "ann", "login", ip="::1")
    audit.record("a.log", "ann", "logout")
    assert FakeJournal.lines == ["ann login ip=::1", "ann logout"]
