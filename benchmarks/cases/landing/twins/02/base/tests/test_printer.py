from printer import first_sheet


def test_first():
    assert first_sheet('3-7') == 2
