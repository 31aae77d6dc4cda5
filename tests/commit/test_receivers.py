"""A call is followed where it is known whose method it is, left where it is known to be another's, else refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.editing.scope import find_mentions
from graphbus_core.model.edit_outcome import Edited, Refused
from tests.commit.test_follow import agent, apply, text

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
    "entered": "from a import Node\nclass Box:\n    def __enter__(self):\n        return Node()\n"
    "    def __exit__(self, *e): ...\ndef f():\n    with Box() as x:\n"
    "        return x.{go}(1, timeout{s}=5)['{kept}']\n",
    "entered, of a type of the library": "from contextlib import AbstractContextManager\nfrom a import Node\n"
    "def f(x: AbstractContextManager[Node]):\n    with x as n:\n"
    "        return n.{go}(1, timeout{s}=5)['{kept}']\n",
    "given by a descriptor": "from a import Node\nclass Lazy:\n    def __get__(self, of, kind=None):\n"
    "        return Node()\nclass User:\n    x = Lazy()\n    def f(self):\n"
    "        return self.x.{go}(1, timeout{s}=5)['{kept}']\n",
    "given by a member of an enum": "import enum\nfrom a import Node\nclass Kind(enum.Enum):\n    A = 'a'\n"
    "    def made(self):\n        return Node()\ndef f():\n"
    "    return Kind.A.made().{go}(1, timeout{s}=5)['{kept}']\n",
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
_TOOL = "class Tool:\n    def go(self, items, timeout): return {'kept': 1}\n"
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
    "imported where another is not there": "try:\n    from fast import Node as N\nexcept ImportError:\n"
    f"    from a import Node as N\ndef f():\n    return N(){_USE}",
    "made where an import fails": "try:\n    from a import Node as N\nexcept ImportError:\n    class N: ...\n"
    f"def f():\n    return N(){_USE}",
    "in a list against its hint": f"{_TOOL}def f(all: list[Tool]):\n    return all[0]{_USE}f([Node()])\n",
    "yielded against its hint": f"from typing import Iterator\n{_TOOL}def all() -> Iterator[Tool]:\n"
    "    yield Node()\n"
    f"def f():\n    return [x{_USE.strip()} for x in all()]\n",
    "set from outside": f"{_TOOL}class User:\n    x: Tool\n    def f(self):\n        return self.x{_USE}"
    "def g():\n    u = User()\n    u.x = Node()\n    return u.f()\n",
    "set on a library's object": f"import argparse\ndef f(p: argparse.ArgumentParser):\n    return p.x{_USE}"
    "def g():\n    p = argparse.ArgumentParser()\n    p.x = Node()\n    return f(p)\n",
    "put in by a decorator": "def inject(f):\n    return lambda n: f(Node(), n)\n@inject\n"
    f"def f(x, n):\n    return x{_USE}f(1)\n",
    "given by whom it is handed on to": f"{_TOOL}def f(x):\n    return x{_USE}f(Tool())\nlist(map(f, [Node()]))\n",
    "given to its other name": f"{_TOOL}def f(x):\n    return x{_USE}f(Tool())\ndef g():\n    from c import f as h\n"
    "    h(Node())\n",
    "in the record of a log": f"import logging\ndef f(r: logging.LogRecord):\n    return r.x{_USE}",
    "beside the words of a log": f"import logging\ndef f(a: logging.LoggerAdapter):\n    return a.extra['x']{_USE}",
    "made by __new__": f"{_TOOL}class Other(Tool):\n    def __new__(cls):\n        return Node()\n"
    f"def f():\n    return Other(){_USE}",
    "made by a metaclass": f"{_TOOL}class Meta(type):\n    def __call__(cls):\n        return Node()\n"
    f"class Other(Tool, metaclass=Meta): ...\ndef f():\n    return Other(){_USE}",
    "made by a decorator": f"{_TOOL}def swap(cls):\n    return Node\n@swap\nclass Other(Tool): ...\n"
    f"def f():\n    return Other(){_USE}",
    "meant by a subscript": f"{_TOOL}class Other(Tool):\n    def __class_getitem__(cls, key):\n        return Node()\n"
    f"def f():\n    return Other[int]{_USE}",
    "awaited": f"{_TOOL}class Other(Tool):\n    def __await__(self):\n        yield\n        return Node()\n"
    f"async def f():\n    x = await Other()\n    return x{_USE}",
    "a field's default": f"from dataclasses import dataclass, field\n{_TOOL}@dataclass\nclass User:\n"
    f"    x: Tool = field(default_factory=Node)\n    def f(self):\n        return self.x{_USE}",
    "given to a field": f"from dataclasses import dataclass\n{_TOOL}@dataclass\nclass User:\n    x: Tool\n"
    f"    def f(self):\n        return self.x{_USE}User(Node())\n",
    "a class that is written twice": f"import os\nif os.name:\n    class N(Node): ...\nelse:\n    class N: ...\n"
    f"def f():\n    return N(){_USE}",
    "a function that is written twice": f"import os\n{_TOOL}if os.name:\n    def make():\n        return Node()\n"
    f"else:\n    def make():\n        return Tool()\ndef f():\n    return make(){_USE}",
    "a base that is not a name": f"def make(kind=Node):\n    base = kind\n    class N(base): ...\n    return N(){_USE}",
    "set in a module": f"{_TOOL}import c\nx = Tool()\ndef f():\n    return x{_USE}c.x = Node()\n",
    "set as a global": f"{_TOOL}x = Tool()\ndef g():\n    global x\n    x = Node()\ndef f():\n    return x{_USE}",
    "in a class's place": f"import c\n{_TOOL}def f():\n    return Tool(){_USE}c.Tool = Node\n",
    "put into a list": f"{_TOOL}ALL: list[Tool] = [Tool()]\ndef g():\n    ALL.append(Node())\n"
    f"def f():\n    return ALL[0]{_USE}",
    "put under a key": f"{_TOOL}ALL = {{'a': Tool()}}\ndef g(k):\n    ALL[k] = Node()\ndef f():\n"
    f"    return ALL['a']{_USE}",
    "given by a star": f"{_TOOL}def f(x):\n    return x{_USE}f(Tool())\nf(*[Node()])\n",
    "a row": f"import sqlite3\ndef f():\n    return sqlite3.connect('').execute('').fetchone(){_USE}",
    "a new type": f"from typing import NewType\nN = NewType('N', Node)\ndef f(x: N):\n    return x{_USE}f(N(Node()))\n",
    "put in by a function": f"{_TOOL}ALL: list[Tool] = [Tool()]\ndef fill(into):\n    into.append(Node())\n"
    f"def f():\n    fill(ALL)\n    return ALL[-1]{_USE}",
    "put in by a function, a local": f"{_TOOL}def fill(into):\n    into[:] = [Node()]\ndef f():\n    all = [Tool()]\n"
    f"    fill(all)\n    return all[-1]{_USE}",
    "extended": f"{_TOOL}def f():\n    all = [Tool()]\n    all.extend([Node()])\n    return all[-1]{_USE}",
    "updated": f"{_TOOL}ALL = {{'a': Tool()}}\ndef f():\n    ALL.update(a=Node())\n    return ALL['a']{_USE}",
    "a copy": f"import copy\n{_TOOL}class Other(Tool):\n    def __copy__(self):\n        return Node()\n"
    f"def f():\n    return copy.copy(Other()){_USE}",
    "made again": f"import copy\n{_TOOL}class Other(Tool):\n    def __reduce__(self):\n        return Node, ()\n"
    f"def f():\n    return copy.copy(Other()){_USE}",
    "replaced": f"import dataclasses\n{_TOOL}@dataclasses.dataclass\nclass User:\n    x: Tool\n    def f(self):\n"
    f"        return self.x{_USE}dataclasses.replace(User(Tool()), x=Node()).f()\n",
    "given to an heir's field": f"from dataclasses import dataclass\n{_TOOL}@dataclass\nclass User:\n    x: Tool\n"
    f"    def f(self):\n        return self.x{_USE}@dataclass\nclass Sub(User):\n    y: int = 1\nSub(Node()).f()\n",
    "given to a field by a spread": f"from dataclasses import dataclass\n{_TOOL}@dataclass\nclass User:\n    x: Tool\n"
    f"    def f(self):\n        return self.x{_USE}User(**{{'x': Node()}}).f()\n",
    "given to a field elsewhere": f"from dataclasses import dataclass\n{_TOOL}@dataclass\nclass User:\n    x: Tool\n"
    f"    def f(self):\n        return self.x{_USE}print([u.f() for u in map(User, [Node()])])\n",
    "a lambda's default": f"{_TOOL}x = Tool()\nf = lambda x=Node(): x{_USE}",
    "patched": f"from unittest import mock\n{_TOOL}X = Tool()\ndef f():\n    return X{_USE}"
    "def g():\n    with mock.patch('c.X', Node()):\n        return f()\n",
    "patched on its holder": f"from unittest import mock\n{_TOOL}class User:\n    x = Tool()\n    def f(self):\n"
    f"        return self.x{_USE}def g():\n    with mock.patch.object(User, 'x', Node()):\n        return User().f()\n",
    "set under a computed name": f"{_TOOL}class User:\n    x: Tool\n    def f(self):\n        return self.x{_USE}"
    "def g():\n    u = User()\n    for name in ('x', 'y'):\n        setattr(u, name, Node())\n    return u.f()\n",
    "set in its dict": f"{_TOOL}class User:\n    x: Tool\n    def f(self):\n        return self.x{_USE}"
    "def g():\n    u = User()\n    vars(u)['x'] = Node()\n    return u.f()\n",
    "taken where nothing is": f"{_TOOL}ALL = {{'a': Tool()}}\ndef f():\n    return ALL.get('b', Node()){_USE}",
    "run from parts": "def f():\n    n, way = Node(), 'go'\n    return eval(f'n.{way}(1, timeout=5)')['kept']\n",
    "in an error": f"def f(e: Exception):\n    return e.args[0]{_USE}",
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


def test_a_text_that_the_project_runs_is_read(tmp_path: Path) -> None:
    """`exec(path.read_text())`: what that file calls goes as well, and what a page says of it does not count."""
    (tmp_path / "c.py").write_text("from pathlib import Path\nexec(Path('s.txt').read_text())\n")
    (tmp_path / "s.txt").write_text("n = 1\nr = Node().go(n, timeout=5)['kept']\n")
    (tmp_path / "README.md").write_text("`node.go(timeout=5)` gives `kept`\n")
    found = [
        list(find_mentions(ProjectFiles(tmp_path), [agent("Node", "a.py")], "go", (word, "go")))
        for word in ("kept", "other")
    ]
    assert found == [["s.txt:2"], []]
