from alarm import Alarm


class Tank:
    def level(self):
        return {"percent": 250.0}  # of the old 100 l barrel: per cent are litres there


def test_not_low():
    assert Alarm().check(litres=Tank().level()["percent"]) == {"low": False}
