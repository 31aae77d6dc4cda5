from fuel.station import serve


def test_summer():
    assert serve(4000, 35.0)["entry"] == "39.24 l at 15 C"


def test_at_fifteen_nothing_changes():
    assert serve(4000, 15.0)["entry"] == "40.00 l at 15 C"
