import week


def test_summary(monkeypatch):
    monkeypatch.setattr(week, "length", lambda event: event)
    assert week.summary("Ada", [90, 45]) == "Ada: 2.25 h in 2 meetings"
