from alarm import first_above


def test_stops_at_the_first_hit():
    def lines():
        yield "08:00 50"
        raise AssertionError("read too far")

    assert first_above(lines(), 20) == "08:00"
