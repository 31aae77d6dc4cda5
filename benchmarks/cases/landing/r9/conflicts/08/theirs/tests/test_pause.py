from bots.greeter import Greeter


def test_flood():
    times = iter([0.0, 0.2, 5.0])
    bot = Greeter(clock=lambda: next(times))
    said = [bot.handle("max", "hi") for _ in range(3)]
    assert said == ["Hello max!", "Slow down, please.", "Hello max!"]


def test_others_are_not_held_up():
    bot = Greeter(clock=lambda: 0.0)
    assert bot.handle("max", "hi") == "Hello max!"
    assert bot.handle("zoe", "hi") == "Hello zoe!"
