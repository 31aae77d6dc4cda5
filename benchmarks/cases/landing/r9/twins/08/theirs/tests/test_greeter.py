from bots.greeter import Greeter


def test_greets():
    ticks = iter(range(10))
    bot = Greeter(clock=lambda: next(ticks))
    assert bot.handle("zoe", " Hello ") == "Hello zoe!"
    assert bot.handle("zoe", "what?") == "I do not understand."
    assert bot.heard == 2
