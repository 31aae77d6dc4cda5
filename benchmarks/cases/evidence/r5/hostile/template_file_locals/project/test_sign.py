from sign.nodes import Sensor, Sign


def test_text():
    got = Sensor().read(5)
    assert Sign().render(moisture=got["humidity"]) == {"text": "65 % - rather damp"}
