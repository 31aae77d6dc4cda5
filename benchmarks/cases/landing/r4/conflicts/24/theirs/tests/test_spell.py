from durations import spell_out


def test_spell_out():
    assert spell_out("1d 2h") == "1 day, 2 hours"
