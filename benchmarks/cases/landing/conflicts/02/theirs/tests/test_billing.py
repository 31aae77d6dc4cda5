from billing import pages_billed


def test_billed():
    assert pages_billed('3-7') == 5
