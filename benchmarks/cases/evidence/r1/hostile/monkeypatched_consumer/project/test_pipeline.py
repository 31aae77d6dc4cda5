import pipeline


def test_go():
    assert pipeline.go() == "T1000"


def test_patched(monkeypatch):
    monkeypatch.setattr("stamp.Stamp.mark", lambda self, seconds: {"mark": seconds + 1})
    assert pipeline.go() == 1001
