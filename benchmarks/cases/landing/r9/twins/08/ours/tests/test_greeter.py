from bots.greeter import Greeter


def test_greets():
    bot = Greeter(clock=lambda: 0.0)
    assert bot.handle("zoe", " Hello ") == "Hello zoe!"
    assert bot.handle("zoe", "what?") == "I do not understand."
    assert bot.heard == 2
