from square import Square


def test_square():
    assert Square().sides == 4
