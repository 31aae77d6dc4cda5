"""Whoever uses what changes is followed, or the change is refused with the line: no use breaks in silence."""

from __future__ import annotations

import textwrap

import pytest

from graphbus_core.model.edit_outcome import Edited, Refused
from tests.commit.test_follow import apply, node, text

NODE = """
from a import *
class Node(GraphBusNode):
    @schema_method({'items': list, 'limit': int, 'n': int}, {'kept': list, 'm': int})
    def go(self, items, limit=1, n=2):
        return {'kept': items, 'm': limit}
"""
FIELDS = ("items", "limit", "n")
RENAME = {"op": "rename_field", "side": "input", "field": "n", "to": "k"}
OUT = {"op": "rename_field", "side": "output", "field": "kept", "to": "rows"}
GONE = {"op": "remove_field", "side": "output", "field": "kept"}

GIVEN = {
    "a spread literal": ("Node().go(1, **{'n': 1})", "Node().go(1, **{'k': 1})"),
    "a spread local": ("kw = {'n': 1}\nNode().go(1, **kw)", "kw = {'k': 1}\nNode().go(1, **kw)"),
    "a spread dict()": ("kw = dict(n=1)\nNode().go(1, **kw)", "kw = dict(k=1)\nNode().go(1, **kw)"),
    "a payload by name": ("p = {'n': 1}\nbus.request('Node', 'go', p)", "p = {'k': 1}\nbus.request('Node', 'go', p)"),
    "a payload that dict() makes": ("bus.request('Node', 'go', dict(n=5))", "bus.request('Node', 'go', dict(k=5))"),
    "a name in a local": ("t = 'Node.go'\nbus.request(t, {'n': 1})", "t = 'Node.go'\nbus.request(t, {'k': 1})"),
    "a keyword by name": ("bus.call('Node', 'go', n=1)", "bus.call('Node', 'go', k=1)"),
    "another node's result": ("r = bus.call('Node', 'go')\nbus.call('Node', 'go', **r)", None),
    "an unknown spread": ("Node().go(1, **more)", ()),
    "an unknown object's spread": ("some.go(1, **{'n': 1})", ()),
    "partial": ("functools.partial(Node().go, n=1)()", ()),
    "another name": ("f = Node().go\nf(n=1)", ()),
    "another name of an unknown object": ("f = some.go\nf(n=1)", ()),
}


def script(code: str) -> str:
    return f"from a import Node\ndef f(bus, some, more):\n{textwrap.indent(code, '    ')}\n"


@pytest.mark.parametrize("case", GIVEN)
def test_what_callers_give_is_followed_or_refused(case: str) -> None:
    """An empty expectation: refused, with the line."""
    code, wanted = GIVEN[case]
    outcome = apply(NODE, RENAME, fields=FIELDS, c=script(code))
    if wanted == ():
        assert isinstance(outcome, Refused)
        assert outcome.lines == ("c.py:5",)
    elif wanted is None:
        assert isinstance(outcome, Edited), str(outcome)
        assert "c.py" not in outcome.after
    else:
        assert text(outcome, "c.py") == script(str(wanted))


@pytest.mark.parametrize(
    "code",
    [
        "r = Node().go(1)\nif bus:\n    r = Node().go(2)\nreturn r['kept']",
        "bus.r = Node().go(1)",
        "return some(Node().go(1))",
        "return Node().go(1)",
        "return {**Node().go(1)}['kept']",
        "return [r['kept'] for r in [Node().go(1)]]",
        "return some.go(1)['kept']",
    ],
)
@pytest.mark.parametrize("op", [OUT, GONE], ids=["rename", "remove"])
def test_a_result_that_is_handed_on_is_refused(code: str, op: dict[str, object]) -> None:
    """And so is a key that an unknown object's result is asked for."""
    outcome = apply(NODE, op, fields=FIELDS, c=script(code))
    assert isinstance(outcome, Refused)
    assert all(line.startswith("c.py:") for line in outcome.lines)


def test_a_result_that_people_see_or_nobody_asks_for_the_field_hinders_nothing() -> None:
    """Printed, logged, another key, a result that is thrown away."""
    code = "r = Node().go(1)\nprint(r, f'{r}')\nlog.info('%s', r)\nNode().go(2)\nreturn r['m'], some.go()['other']"
    assert isinstance(apply(NODE, OUT, fields=FIELDS, c=script(code)), Edited)


@pytest.mark.parametrize("code", ["Node().go([1], 5)", "some.go(1, 5, 6)", "Node().go(*more)", "Node.go(some, 1, 5)"])
def test_a_removed_parameter_does_not_shift_arguments(code: str) -> None:
    """What is given by position from there on would mean another parameter."""
    source = NODE.replace("'m': limit", "'m': 1")
    ask: dict[str, object] = {"op": "remove_field", "side": "input", "field": "limit"}
    outcome = apply(source, ask, fields=FIELDS, c=script(code))
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("c.py:5",)
    assert isinstance(apply(source, ask, fields=FIELDS, c=script("Node().go([1], n=3), Node.go(some, 1)")), Edited)


@pytest.mark.parametrize("code", ["bus.call('Node', 'go', items=[])", "bus.request('Node', 'go', {})", "x(Node().go)"])
def test_a_new_required_field_is_asked_of_every_caller(code: str) -> None:
    """Also of those that name the node in text, and of code that gets the method itself."""
    ask: dict[str, object] = {"op": "add_field", "side": "input", "field": "new", "type": "int"}
    outcome = apply(NODE, ask, fields=FIELDS, c=script(code))
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("c.py:5",)


def test_a_method_that_stands_for_it_in_a_subclass_is_not_left_behind() -> None:
    """`self.go(n=1)` in the class may be a call of the subclass's."""
    sub = "from a import Node\nclass Sub(Node):\n    def go(self, items, n): ...\n"
    outcome = apply(NODE, RENAME, fields=FIELDS, c=sub)
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("c.py:5",)
    assert isinstance(apply(NODE, RENAME, fields=FIELDS, c=sub.replace("Sub(Node)", "Sub")), Edited)


def test_stubs_of_a_method_are_not_left_behind() -> None:
    """`@overload`: all of them would have to change."""
    stubs = "    @overload\n    def go(self, items: str): ...\n"
    source = NODE.replace("class Node(GraphBusNode):\n", f"class Node(GraphBusNode):\n{stubs}")
    outcome = apply(source, RENAME, fields=FIELDS)
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("a.py:6",)


@pytest.mark.parametrize(
    "use", ["payload.copy()['items']", "payload.__getitem__('items')", "payload.items_", "payload.y"]
)
def test_a_payload_is_asked_in_known_ways_only(use: str) -> None:
    """An attribute of an event is none of its payload."""
    outcome = apply(node("{'items': list}", "{}", ", payload", f"return {use}"), {**RENAME, "field": "items"})
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("a.py:6",)


@pytest.mark.parametrize(
    "body",
    [
        "return payload.pop('items')",
        "payload['items'] += 1",
        "del payload['items']",
        "return self.h(payload)",
        "return payload['items']['deep']",
        "match payload:\n    case {'items': x}: return x",
    ],
)
def test_a_body_that_needs_a_field_keeps_it_required(body: str) -> None:
    """`.get` is not an answer there."""
    ask: dict[str, object] = {"op": "set_optional", "side": "input", "field": "items", "optional": True}
    outcome = apply(node("{'items': int, 'limit': int}", "{}", ", payload", body), ask)
    assert isinstance(outcome, Refused)
    assert outcome.lines[0].startswith("a.py:")


TOPIC = {"op": "rename_field", "topic": "/T", "side": "payload", "field": "x", "to": "z"}
PUBLISHER = """
@publishes("/T", {"x": int})
class Node(GraphBusNode):
    def go(self):
        CODE
"""
HANDLER = """
class Other(GraphBusNode):
    @subscribe("/T")
    def on_t(self, event):
        return event["x"]
"""


@pytest.mark.parametrize("code", ["self.apublish('/T', {'x': 1})", "self.bus.publish('/T', {'x': 1})"])
def test_every_way_to_publish_is_followed(code: str) -> None:
    """`apublish`, and the bus itself."""
    outcome = apply(PUBLISHER.replace("CODE", code), TOPIC, b=HANDLER)
    assert code.replace("'x'", "'z'") in text(outcome)
    assert 'event["z"]' in text(outcome, "b.py")


def test_a_second_publisher_and_an_unknown_one_are_not_left_behind() -> None:
    """Its events would reach handlers that ask for another field."""
    source = PUBLISHER.replace("CODE", "self.publish('/T', {'x': 1})")
    outcome = apply(source, TOPIC, b=HANDLER, c="def f(bus):\n    bus.publish('/T', {'x': 2})\n")
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("c.py:4",)
    bare = apply(PUBLISHER.replace("CODE", "send = self.publish\n        send('/T', {'x': 1})"), TOPIC, b=HANDLER)
    assert isinstance(bare, Refused)
    assert bare.lines == ("a.py:6",)


SHAPE = """
from dataclasses import dataclass
@dataclass
class Out:
    kept: list
    m: int = 0
class Node(GraphBusNode):
    @schema_method({'items': list}, Out)
    def go(self, items):
        return Out(kept=items)
"""


def test_an_object_of_a_contract_class_is_followed_where_its_class_is_not_named() -> None:
    """`Node().go(…).kept`, through a local as well."""
    code = "from a import Node\ndef f():\n    r = Node().go(1)\n    return r.kept, Node().go(2).kept\n"
    outcome = apply(SHAPE, OUT, fields=("items",), c=code)
    assert text(outcome, "c.py") == code.replace(".kept", ".rows")
    gone = apply(SHAPE.replace("m: int = 0", "m: int = 0\n    z: int = 0"), {**GONE, "field": "m"}, c=code)
    assert isinstance(gone, Edited), str(gone)
    read = apply(SHAPE, {**GONE, "field": "m"}, fields=("items",), c=code.replace("kept", "m"))
    assert isinstance(read, Refused)


@pytest.mark.parametrize(
    "code",
    [
        "replace(o, kept=1)",
        "asdict(o)['kept']",
        "getattr(o, 'kept')",
        "Out(**{'kept': 1})",
        "o.model_copy(update={'kept': 1})",
        "o.kept",
    ],
)
def test_a_field_of_a_contract_class_named_in_another_way_is_refused(code: str) -> None:
    """With the line."""
    outcome = apply(SHAPE, OUT, fields=("items",), c=f"from a import Out\ndef f(o):\n    return {code}\n")
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("c.py:5",)


def test_constructors_by_position_and_without_a_new_field_are_refused() -> None:
    """A field goes or comes: what others make of the class must still be meant so."""
    other = "from a import Out\ndef f():\n    return Out([1], 2)\n"
    gone = apply(SHAPE, {**GONE, "field": "m"}, fields=("items",), c=other)
    assert isinstance(gone, Refused)
    assert gone.lines == ("c.py:5",)
    ask: dict[str, object] = {"op": "add_field", "side": "output", "field": "new", "type": "int", "default": "3"}
    more = apply(SHAPE, ask, fields=("items",), c=other)
    assert isinstance(more, Refused)
    assert more.lines == ("c.py:5",)
    assert "Out(kept=items, new=3)" in text(apply(SHAPE, ask, fields=("items",)))


def test_a_named_contract_that_code_reads_is_not_renamed_under_it() -> None:
    """`OUT[key]` at run time; in other contracts it is only named."""
    before = "OUT = {'kept': list}\nALL = [OUT]\n"
    source = node("{'items': list}", "OUT", ", items", "return {'kept': items}", before)
    assert isinstance(apply(source, OUT), Edited)
    outcome = apply(source, OUT, c="from a import OUT\ndef f(k):\n    return OUT[k]\n")
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("c.py:5",)
