from render import render


def test_values_are_escaped():
    assert render("{a} {b}", a="<", b=3) == "&lt; 3"
