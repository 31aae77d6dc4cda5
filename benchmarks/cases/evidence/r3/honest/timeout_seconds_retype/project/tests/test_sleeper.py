from crawler.limiter import Limiter
from crawler.sleeper import Sleeper


def test_a_quarter():
    due = Limiter().wait_for(1)
    sleeper = Sleeper()
    assert sleeper.sleep(delay=due["delay"]) == {"text": "0.25 s"}
    assert sleeper.slept == [0.25]
