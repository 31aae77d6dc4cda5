from types import SimpleNamespace

from bots.ops import OpsBot


def make(up=True):
    service = SimpleNamespace(up=up)
    service.restart = lambda: setattr(service, "up", True)
    return OpsBot(lambda: 0.0, service)


def test_operator_restarts():
    bot = make(up=False)
    assert bot.handle("kim", "restart") == "Restarted."
    assert bot.service.up


def test_others_do_not():
    bot = make(up=False)
    assert bot.respond("zoe", "restart") == "Ask an operator."
    assert not bot.service.up


def test_status():
    assert make().handle("lee", "status") == "up"
