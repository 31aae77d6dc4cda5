def test_battery_first(drawn):
    battery, card = drawn
    assert card["rows"][0] == f"battery: {battery}%"


def test_two_rows(drawn):
    assert len(drawn[1]["rows"]) == 2
