"""A call is followed where it is known whose method it is, left where it is known to be another's, else refused."""

from __future__ import annotations

import pytest

from graphbus_core.build.confine.outcome import Applied, Refused
from tests.build.commit.test_follow import apply, text

NODE = """
class Node(GraphBusNode):
    @schema_method({'items': list, 'timeout': int}, {'kept': list})
    def go(self, items, timeout=1):
        return {'kept': items}
"""
RENAME = {"op": "rename_field", "side": "input", "field": "timeout", "to": "timeout_s"}
OUT = {"op": "rename_field", "side": "output", "field": "kept", "to": "rows"}
METHOD = {"op": "rename_method", "to": "run"}
FIELDS = ("items", "timeout")

OTHERS = {
    "a module": "import subprocess\ndef f(cmd):\n    return subprocess.go(cmd, timeout=5)['kept']\n",
    "a module by another name": "import a.b.go as x\nimport regex as r\ndef f():\n    return r.go(timeout=5)['kept']\n",
    "a class of a library": "import third\ndef f():\n    return third.Engine().go(timeout=5)['kept']\n",
    "what the standard library makes": "import re\nP = re.compile('a')\n"
    "def f(t):\n    return P.go(t, timeout=5)['kept']\n",
    "another class of the project": "class Tool:\n    def go(self, timeout): return {'kept': 1}\n"
    "def f(t: Tool, n: 'Tool | None'):\n    n.go(timeout=1)\n    return t.go(timeout=5)['kept']\n",
    "its own self": "class Tool:\n    def f(self):\n        return self.go(timeout=5)['kept']\n",
    "an attribute": "class Tool:\n    def go(self, timeout): return {'kept': 1}\nclass User:\n"
    "    def __init__(self):\n        self.tool = Tool()\n    def f(self):\n"
    "        return self.tool.go(timeout=5)['kept']\n",
    "text": "def f(s: str):\n    return 'a'.go(timeout=5)['kept'], s.strip().go(timeout=5)['kept']\n",
    "a class of the same name": "class Node:\n    def go(self, timeout): return {'kept': 1}\n"
    "def f():\n    return Node().go(timeout=5)['kept']\n",
    "something opened": "def f(p):\n    with open(p) as h:\n        return h.go(timeout=5)['kept']\n",
}


@pytest.mark.parametrize("case", OTHERS)
@pytest.mark.parametrize("op", [RENAME, OUT, METHOD], ids=["input", "output", "method"])
def test_what_is_known_to_be_something_else_is_left_alone(case: str, op: dict[str, object]) -> None:
    """That no other class of the project has such a method proves nothing."""
    outcome = apply(NODE, op, fields=FIELDS, c=OTHERS[case])
    assert isinstance(outcome, Applied), str(outcome)
    assert list(outcome.after) == ["a.py"]


OURS = {
    "made here": "from a import Node\ndef f():\n    return Node().{go}(1, timeout{s}=5)['{kept}']\n",
    "made in a module": "import a\ndef f():\n    n = a.Node()\n    return n.{go}(1, timeout{s}=5)['{kept}']\n",
    "annotated": "from a import Node\ndef f(n: Node | None):\n    return n.{go}(1, timeout{s}=5)['{kept}']\n",
    "annotated in text": "import a\ndef f(n: 'a.Node'):\n    return n.{go}(1, timeout{s}=5)['{kept}']\n",
    "an attribute": "from a import Node\nclass User:\n    def __init__(self, n: Node):\n        self.n = n\n"
    "    def f(self):\n        return self.n.{go}(1, timeout{s}=5)['{kept}']\n",
    "an attribute or one of its own": "from a import Node\nclass User:\n    def __init__(self, n: Node = None):\n"
    "        self.n = n or Node()\n    def f(self):\n        return self.n.{go}(1, timeout{s}=5)['{kept}']\n",
    "a field of a class": "from a import Node\nclass User:\n    n: Node\n    def f(self):\n"
    "        return self.n.{go}(1, timeout{s}=5)['{kept}']\n",
    "a subclass": "from a import Node\nclass Sub(Node):\n    def f(self):\n"
    "        return self.{go}(1, timeout{s}=5)['{kept}']\n    def g(self):\n"
    "        return super().{go}(1, timeout{s}=5)['{kept}']\n",
    "in a loop": "from a import Node\ndef f(all: list[Node]):\n    for n in all:\n"
    "        n.{go}(1, timeout{s}=5)['{kept}']\n    return [m.{go}(1, timeout{s}=5)['{kept}'] for m in all]\n",
    "given back": "from a import Node\ndef make() -> Node: ...\n"
    "def f():\n    return make().{go}(1, timeout{s}=5)['{kept}']\n",
    "of the module": "from a import Node\nN = Node()\ndef f():\n    return N.{go}(1, timeout{s}=5)['{kept}']\n",
    "by name": "def f(bus):\n    return bus.call('Node', '{go}', timeout{s}=5)['{kept}']\n",
    "a name that is kept": "T = 'Node.{go}'\ndef f(bus):\n    return bus.request(T, {{'timeout{s}': 5}})['{kept}']\n",
}


@pytest.mark.parametrize("case", OURS)
def test_what_is_known_to_be_the_node_is_followed(case: str) -> None:
    """By constructor, annotation, attribute, inheritance, or the node's name in text."""
    names = {"go": "go", "s": "", "kept": "kept"}
    before = OURS[case].format(**names)
    for op, changed in ((RENAME, {"s": "_s"}), (OUT, {"kept": "rows"}), (METHOD, {"go": "run"})):
        outcome = apply(NODE, op, fields=FIELDS, c=before)
        assert text(outcome, "c.py") == OURS[case].format(**{**names, **changed})


def test_an_unknown_receiver_is_refused_only_where_it_touches_what_changes() -> None:
    """With its line; a call that does not speak of the field stays and hinders nothing."""
    touching = "def f(n):\n    return n.go(1, timeout=5)['kept']\n"
    for op in (RENAME, OUT, METHOD):
        outcome = apply(NODE, op, fields=FIELDS, c=touching)
        assert isinstance(outcome, Refused)
        assert outcome.lines == ("c.py:4",)
    plain = "def f(n):\n    return n.go(1)['other']\n"
    for op in (RENAME, OUT):
        assert isinstance(apply(NODE, op, fields=FIELDS, c=plain), Applied)


@pytest.mark.parametrize(
    "code",
    [
        "getattr(self, 'go')()",
        "operator.methodcaller('go', 1)(self)",
        "f = n.go",
        "bus.call('Node', name())",
        "x(self.go)",
    ],
)
def test_a_method_that_is_spoken_of_without_a_call_is_not_renamed_in_silence(code: str) -> None:
    """Followed where it is certain, refused where it is not."""
    source = NODE + f"    def other(self, n):\n        {code}\n"
    outcome = apply(source, METHOD, fields=FIELDS)
    if "name()" in code:
        assert isinstance(outcome, Applied)
    elif "self.go" in code:
        assert "x(self.run)" in text(outcome)
    else:
        assert isinstance(outcome, Refused)
        assert outcome.lines == ("a.py:8",)


def test_a_chain_of_assignments_costs_what_its_text_costs() -> None:
    """Six lines `s = s.replace(…).go()` never ended: each name stood for all that came before it."""
    import time

    lines = "".join("    s = s.replace('a', 'b').go(1)['kept'] + s\n" for _ in range(30))
    start = time.process_time()
    outcome = apply(NODE, RENAME, fields=FIELDS, c=f"def f(s):\n{lines}    return s\n")
    assert isinstance(outcome, Applied), str(outcome)
    assert time.process_time() - start < 2
