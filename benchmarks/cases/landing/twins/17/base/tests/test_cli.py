from cli import show


def test_show():
    assert show('Du') == 'Dune\nDubliners'
