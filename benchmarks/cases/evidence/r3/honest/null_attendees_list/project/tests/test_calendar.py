from cal.calendar_ import Calendar


def test_event():
    event = Calendar().event("ada+bob@r1")
    assert event["participants"] == ["ada", "bob"] and event["rooms"] == ["r1"]
