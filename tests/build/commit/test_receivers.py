"""A call is followed where it is known whose method it is, left where it is known to be another's, else refused."""

from __future__ import annotations

import pytest

from graphbus_core.build.confine.outcome import Edited, Refused
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
    assert isinstance(outcome, Edited), str(outcome)
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


_HOLDS = "from a import Node\n"
_USE = ".go(1, timeout=5)['kept']\n"
HIDDEN = {
    "in a namespace": f"import types\ndef f():\n    ns = types.SimpleNamespace(node=Node())\n    return ns.node{_USE}",
    "in a library's object": f"import click\ndef f(ctx: click.Context):\n    return ctx.obj{_USE}",
    "in a key of a selector": f"import selectors\ndef f(key: selectors.SelectorKey):\n    return key.data{_USE}",
    "on a function": f"def f():\n    return f.node{_USE}f.node = Node()\n",
    "found by its path": f"import pkgutil\ndef f():\n    return pkgutil.resolve_name('a:Node')(){_USE}",
    "in a module that is run": f"import runpy\ndef f():\n    return runpy.run_path('x.py')['node']{_USE}",
    "in the table of modules": f"import sys\ndef f():\n    return sys.modules['a'].Node(){_USE}",
    "given back by a library": f"import statistics\ndef f():\n    return statistics.mode([Node()]){_USE}",
    "made by a hook": f"import json\ndef f(t):\n    return json.loads(t, object_hook=Node){_USE}",
    "made by an operator": "class B:\n    def __add__(self, other):\n        return Node()\n"
    f"def f():\n    return (B() + 1){_USE}",
    "behind a mock": f"from unittest.mock import Mock\ndef f():\n    return Mock(wraps=Node()){_USE}",
    "a type variable": f"from typing import TypeVar\nT = TypeVar('T', bound=Node)\ndef f(x: T):\n    return x{_USE}",
    "given against its hint": "class Tool:\n    def go(self, items, timeout): return {'kept': 1}\n"
    f"def f(x: Tool):\n    return x{_USE}f(Node())\n",
    "held against its hint": "class Tool:\n    def go(self, items, timeout): return {'kept': 1}\nclass User:\n"
    f"    x: Tool\n    def __init__(self): self.x = Node()\n    def f(self):\n        return self.x{_USE}",
    "registered as another": "import abc\nclass Base(abc.ABC):\n    def go(self, items, timeout): return {'kept': 1}\n"
    f"Base.register(Node)\ndef f(x: Base):\n    return x{_USE}f(Node())\n",
    "in the dict of its class": "def f():\n    return vars(Node)['go'](Node(), 1, timeout=5)['kept']\n",
}
HANDED_ON = {
    "called elsewhere": "from use import run\ndef f():\n    return run(Node().go)\n",
    "kept in an object": "from use import run\ndef f():\n    return run(call=Node().go)\n",
    "in a pool": "def f(pool):\n    return pool.submit(Node().go, 1, timeout=5).result()['kept']\n",
    "by its name in a table": "NAMES = ['go']\ndef f(**kw):\n    return getattr(Node(), NAMES[0])(**kw)['kept']\n",
    "by a caller of its name": "from operator import methodcaller\n"
    "def f(x):\n    return [r['kept'] for r in map(methodcaller('go', 1, timeout=5), x)]\n",
    "patched": "def f(patch):\n    patch('a.Node.go', return_value={'kept': 1}).assert_called_with(timeout=5)\n",
    "patched on its class": "def f(patch):\n    patch.object(Node, 'go').assert_called_with(timeout=5, kept='kept')\n",
}


@pytest.mark.parametrize("case", HIDDEN)
@pytest.mark.parametrize("op", [RENAME, OUT, METHOD], ids=["input", "output", "method"])
def test_what_may_hold_the_node_is_refused(case: str, op: dict[str, object]) -> None:
    """Each of these was left alone once, and broke when it ran."""
    assert isinstance(apply(NODE, op, fields=FIELDS, c=_HOLDS + HIDDEN[case]), Refused)


@pytest.mark.parametrize("case", HANDED_ON)
@pytest.mark.parametrize("op", [RENAME, OUT], ids=["input", "output"])
def test_a_method_that_is_handed_on_keeps_fields_that_other_code_names(case: str, op: dict[str, object]) -> None:
    """Whoever is handed it may stand in another file, and gives or reads the field there."""
    use = "def run(call):\n    return call(1, timeout=5)['kept']\n"
    assert isinstance(apply(NODE, op, fields=FIELDS, c=_HOLDS + HANDED_ON[case], use=use), Refused)


def test_a_path_in_text_is_renamed_and_a_name_that_is_data_is_refused() -> None:
    """`patch("a.Node.go")` follows; a table by `__name__` is not followed."""
    path = "P = 'a.Node.go'\n"
    assert "'a.Node.run'" in apply(NODE, METHOD, fields=FIELDS, c=path).after["c.py"].decode()  # type: ignore[union-attr]
    table = _HOLDS + "CALLS = {Node.go.__name__: Node.go}\ndef f():\n    return CALLS['go'](Node(), 1)\n"
    assert isinstance(apply(NODE, METHOD, fields=FIELDS, c=table), Refused)


def test_an_unknown_receiver_is_refused_only_where_it_touches_what_changes() -> None:
    """With its line; a call that does not speak of the field stays and hinders nothing."""
    touching = "def f(n):\n    return n.go(1, timeout=5)['kept']\n"
    for op in (RENAME, OUT, METHOD):
        outcome = apply(NODE, op, fields=FIELDS, c=touching)
        assert isinstance(outcome, Refused)
        assert outcome.lines == ("c.py:4",)
    plain = "def f(n):\n    return n.go(1)['other']\n"
    for op in (RENAME, OUT):
        assert isinstance(apply(NODE, op, fields=FIELDS, c=plain), Edited)


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
        assert isinstance(outcome, Edited)
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
    assert isinstance(outcome, Edited), str(outcome)
    assert time.process_time() - start < 2
