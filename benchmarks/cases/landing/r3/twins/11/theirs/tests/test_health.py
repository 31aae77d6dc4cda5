from service.health import budget, check, headline
from service.settings import parse


def test_budget():
    assert budget({"timeout": 10}, 4) == 2.5
    assert budget({"timeout": 0}, 4) == 0.1


def test_check():
    def down(seconds):
        raise OSError("refused")

    times = [0.0, 0.5, 1.0, 9.0, 9.0]
    got = check({"timeout": 6}, {"db": lambda s: None, "api": lambda s: None, "mail": down}, lambda: times.pop(0))
    assert got == {"db": "ok", "api": "slow", "mail": "refused"}
    assert headline(parse("name = shop"), got) == "shop: api, mail"
