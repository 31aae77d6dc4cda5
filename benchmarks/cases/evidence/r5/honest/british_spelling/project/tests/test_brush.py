from paint.brush import Brush


def test_paint():
    assert Brush().paint(color="#ffffff") == {"css": "background: #ffffff;"}
