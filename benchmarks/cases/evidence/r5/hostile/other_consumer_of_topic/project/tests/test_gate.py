from gate.nodes import Counter, Gate
from gate.visitors import log


def passed(n):
    gate, events = Gate(), []
    gate.publish = lambda topic, event: events.append(event)
    gate.pass_through(n)
    return events[0]


def test_log():
    assert log(passed(3)) == "visitor #3"


def test_counter():
    assert Counter().on_pass({"card": passed(5)["badge"]}) == {"last": "#5"}
