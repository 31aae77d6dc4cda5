from codecs2 import Plain


def test_plain():
    assert Plain().encode('x') == 'x'
