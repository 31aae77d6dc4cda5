from track import serves


def test_serves():
    assert serves(['A', 'B'], 'A') and not serves(['A'], 'C')
