"""What calls show: which value reaches which field, in whatever form the code hands it on."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.analysis.projects import HEAD, SHOP, flows, project

IMPORT = "from agents.a import Clean, Load\n"
GATHER = """
import asyncio
async def go():
    a, b = await asyncio.gather(Load().load(1), Load().load(2))
    Clean().clean(qty=b["quantity"], rows=[])
"""
KEPT = """
class Box:
    def __init__(self, l, c=None):
        self.l, self.c = l, c or Clean()
    def go(self):
        self.kept = self.l.load(1)
    def on(self):
        self.c.clean(qty=self.kept["quantity"], rows=[])
Box(Load()).go()
"""
FIXTURE = "import pytest\nfrom agents.a import Load\n@pytest.fixture\ndef load():\n    yield Load()\n"
SETTER = """
class B:
    @property
    def w(self):
        return self._w / 1000
    @w.setter
    def w(self, v):
        self._w = v
b = B()
b.w = Load().load(1)["quantity"]
Clean().clean(qty=b.w, rows=[])
"""
LESS = """
def less(f):
    return lambda *a: f(*a) / 1000
@less
def w(r):
    return r["quantity"]
Clean().clean(qty=w(Load().load(1)), rows=[])
"""
QTY = "Load.load.quantity -> Clean.clean.qty"


@pytest.mark.parametrize(
    "body",
    [
        'Clean().clean(qty=Load().load(1)["quantity"], rows=[])',
        'Clean().clean(Load().load(1)["quantity"], [])',
        'r = Load().load(1)\nClean().clean(qty=r["quantity"], rows=[])',
        'r = Load().load(1)\nClean().clean(qty=r.get("quantity"), rows=[])',
        'r = Load().load(1)\nClean().clean(**{"qty": r["quantity"], "rows": []})',
        'r = Load().load(1)\ngiven = dict(qty=r["quantity"])\ngiven["rows"] = []\nClean().clean(**given)',
        'r = Load().load(1)\ngiven = {}\ngiven.update(qty=r["quantity"])\nClean().clean(**given)',
        'c, l = Clean(), Load()\n(q, w) = l.load(1)["quantity"], []\nc.clean(qty=q, rows=w)',
        'for r in [Load().load(n) for n in range(3)]:\n    Clean().clean(qty=r["quantity"], rows=[])',
        '[Clean().clean(qty=r["quantity"], rows=[]) for r in (Load().load(n) for n in range(3)) if r]',
        'def pick(r):\n    return {"qty": r["quantity"], "rows": r["rows"]}\nClean().clean(**pick(Load().load(1)))',
        'def work(l, c):\n    c.clean(qty=l.load(1)["quantity"], rows=[])\nwork(Load(), Clean())',
        'def work(l: Load, c: "Clean | None"):\n    c.clean(qty=l.load(1)["quantity"], rows=[])',
        'match Load().load(1):\n    case {"quantity": q}:\n        Clean().clean(qty=q, rows=[])',
        'if (r := Load().load(1))["quantity"]:\n    Clean().clean(qty=r["quantity"], rows=[])',
        GATHER,
        'def make():\n    return Load()\nl = make()\nClean().clean(qty=l.load(1)["quantity"], rows=[])',
        'bus.call("Clean", "clean", qty=bus.call("Load", "load", x=1)["quantity"], rows=[])',
        KEPT,
    ],
)  # fmt: skip
def test_a_field_is_followed_in_every_form(tmp_path: Path, body: str) -> None:
    """By keyword, by position, through dicts, unpacking, loops, helpers, attributes, parameters, patterns."""
    assert QTY in flows(project(tmp_path, {"main.py": IMPORT + body + "\n"}))


@pytest.mark.parametrize(
    "body",
    [
        'r = Load().load(1)\nr = {"quantity": 3}\nClean().clean(qty=r["quantity"], rows=[])',
        'class Load:\n    def load(self, x): ...\nClean().clean(qty=Load().load(1)["quantity"], rows=[])',
        'Clean().clean(qty=open("x").load(1)["quantity"], rows=[])',
    ],
)
def test_what_is_something_else_is_no_flow(tmp_path: Path, body: str) -> None:
    """A variable that is bound anew, and a class of the same name elsewhere."""
    assert QTY not in flows(project(tmp_path, {"main.py": IMPORT + body + "\n"}))


def test_what_is_made_of_a_value_is_no_exact_flow(tmp_path: Path) -> None:
    """`int(r["quantity"])` arrives as something else, and is not evidence for a name."""
    one = project(tmp_path, {"main.py": IMPORT + 'Clean().clean(qty=int(Load().load(1)["quantity"]), rows=[])\n'})
    assert [(str(f).rpartition(" (")[0], f.exact) for f in one.list_flows("Clean.clean")] == [(QTY, False)]
    assert one.find_evidence("Load.load.quantity", "Clean.clean.qty") == ()


def test_evidence_names_its_line_and_says_what_a_test_is(tmp_path: Path) -> None:
    """A flow in a program is called, one in a test is tested; fixtures are followed to what they give."""
    one = project(
        tmp_path,
        {
            "main.py": IMPORT + '\n\nr = Load().load(1)\nClean().clean(qty=r["quantity"], rows=[])\n',
            "tests/conftest.py": FIXTURE,
            "tests/test_a.py": "from agents.a import Clean\n\ndef test_it(load):\n"
            '    assert Clean().clean(load.load(1)["quantity"], [])["n"] == 1\n',
        },
    )
    found = one.find_evidence("Load.load.quantity", "Clean.clean.qty")
    assert [(e.kind, e.place) for e in found] == [("called", "main.py:5"), ("tested", "tests/test_a.py:4")]


def test_a_whole_payload_says_what_stands_beside_it(tmp_path: Path) -> None:
    """`**r` gives every field by its name; what the call gives itself is named."""
    one = project(tmp_path, {"main.py": IMPORT + "r = Load().load(1)\nClean().clean(**r, qty=3)\n"})
    (flow,) = one.list_flows("Clean.clean")
    assert (flow.whole, flow.beside, flow.place) == (True, ("qty",), "main.py:3")


def test_a_node_that_calls_its_producer_is_fed_by_its_own_code(tmp_path: Path) -> None:
    """In any form: made on the spot, kept in an attribute, or called by name."""
    own = """
class Report(GraphBusNode):
    def __init__(self):
        self.loader = Load()
    @schema_method(input_schema={"day": str})
    def made(self, day):
        return Load().load(1)["rows"]
    @schema_method(input_schema={"day": str})
    def kept(self, day):
        return self.loader.load(1)["rows"]
    @schema_method(input_schema={"day": str})
    def named(self, day):
        return self.call("Load", "load", x=1)["rows"]
"""
    seen = {s.id: s.own for s in project(tmp_path, {}, SHOP + own).find_links()}
    assert seen == {f"Load.load => Report.{name}": True for name in ("made", "kept", "named")}


def test_notebooks_scripts_and_two_programs_of_one_repository(tmp_path: Path) -> None:
    """A notebook's cells are read; each program's imports mean its own modules."""
    cell = {
        "cell_type": "code",
        "source": ["%time\n", IMPORT, 'Clean().clean(qty=Load().load(1)["quantity"], rows=[])'],
    }
    one = project(
        tmp_path,
        {
            "notes.ipynb": json.dumps({"cells": [cell]}),
            "other/agents/a.py": "class Load:\n    def load(self, x): ...\nclass Clean:\n    def clean(self): ...\n",
            "other/main.py": IMPORT + 'Clean().clean(qty=Load().load(1)["rows"])\n',
        },
    )
    assert flows(one) == [QTY]


def test_nobody_can_tell_is_said_with_its_line(tmp_path: Path) -> None:
    """An object without a type is not a link and no finding: its place is named."""
    one = project(tmp_path, {"main.py": "import agents.a\ndef go(thing):\n    thing.clean(1, [])\n"})
    assert one.find_links() == ()
    assert [u.place for u in one.list_unsure_calls()] == ["main.py:3"]
    assert "`thing` has no type" in one.list_unsure_calls()[0].why


def test_a_chain_of_calls_costs_what_its_text_costs(tmp_path: Path) -> None:
    """Forty lines `s = s.replace(…).clean(…)` are read in a moment, in a loop and in branches too."""
    line = "    s = s.replace('a', 'b').clean(s, [])\n"
    text = (
        f"def go(s, n):\n{line * 40}    while n:\n{('    ' + line) * 20}" + "    if n:\n    " + line + "    return s\n"
    )
    one = project(tmp_path, {"main.py": text + IMPORT + "go(Load(), 1)\n"})
    start = time.process_time()
    one.find_links()
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "main",
    [
        SETTER,
        LESS,
        "if False:\n    Clean().clean(qty=Load().load(1)['quantity'], rows=[])",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    Clean().clean(qty=Load().load(1)['quantity'])",
        "try:\n    Clean().clean(qty=Load().load(1)['quantity'], rows=[])\nexcept TypeError:\n    pass",
        "def w(x):\n    return x / 1000\nClean().clean(qty=w(Load().load(1)['quantity']), rows=[])",
    ],
    ids=["setter", "decorator", "never runs", "never runs either", "caught", "helper"],
)
def test_what_may_have_been_made_of_a_value_is_no_evidence(tmp_path: Path, main: str) -> None:
    """Five of these were: a setter and a decorator that divide, calls that never happen or whose failure is caught."""
    assert project(tmp_path, {"main.py": IMPORT + main}).find_evidence("Load.load.quantity", "Clean.clean.qty") == ()


def _wide(n: int) -> str:
    rows = [f"def f{i}(x):\n    return {{{', '.join(f'{k!r}: f{i + 1}(x)' for k in 'abcd')}}}\n" for i in range(n)]
    return "".join(rows) + f"def f{n}(x):\n    return x\nClean().clean(qty=f0(Load().load(1)['quantity']), rows=[])\n"


def _crossed(n: int) -> str:
    rows = [f"def f{i}(x, y):\n    if x:\n        return f{i + 1}(x, y)\n    return f{i + 1}(y, x)\n" for i in range(n)]
    last = f"def f{n}(x, y):\n    return x\nr = Load().load(1)\n"
    return "".join(rows) + last + "Clean().clean(qty=f0(r['quantity'], r['rows']), rows=[])\n"


def _each_other(n: int) -> str:
    calls = [" or ".join(f"f{j}(x)" for j in range(n) if j != i) for i in range(n)]
    rows = [f"def f{i}(x):\n    return {calls[i]}\n" for i in range(n)]
    return "".join(rows) + "Clean().clean(qty=f0(Load().load(1)['quantity']), rows=[])\n"


@pytest.mark.parametrize("main", [_wide(12), _crossed(20), _each_other(9)], ids=["wide", "crossed", "each other"])
def test_ways_that_multiply_are_followed_up_to_a_bound(tmp_path: Path, main: str) -> None:
    """Each took minutes. What was not followed is said with its line, and what was is not evidence."""
    start = time.process_time()
    one = project(tmp_path, {"main.py": IMPORT + main})
    unsure = [str(call.place) for call in one.list_unsure_calls() if "ways" in call.why]
    assert time.process_time() - start < 10
    assert unsure == [f"main.py:{(IMPORT + main).count(chr(10))}"]
    assert one.find_evidence("Load.load.quantity", "Clean.clean.qty") == ()


def test_many_ways_below_the_bound_are_all_followed(tmp_path: Path) -> None:
    """Two to the sixth, and each hands on the same."""
    text = _crossed(6).replace("r['rows']", "r['quantity']")
    one = project(tmp_path, {"main.py": IMPORT + text})
    assert flows(one) == [QTY]
    assert one.list_unsure_calls() == ()


def test_functions_that_call_themselves_end(tmp_path: Path) -> None:
    """Recursion, two functions that call each other, an attribute made of itself, a base class that is its own."""
    text = """
    def one(r):
        return two(r)
    def two(r):
        return one(r) or r
    class Self(Self):
        def grow(self):
            self.all = self.all + [self.all]
            return self.grow().clean(self.all, [])
    Clean().clean(**one(Load().load(1)))
    """
    from textwrap import dedent

    assert "Load.load -> Clean.clean.*" in flows(project(tmp_path, {"main.py": IMPORT + dedent(text)}))


def test_without_agents_every_class_and_function_is_a_component(tmp_path: Path) -> None:
    """What `infer` asks: plain classes and functions, their links as code shows them."""
    from graphbus_core.analysis import ProjectAnalysis

    (tmp_path / "steps.py").write_text(
        "def fetch():\n    return {'a': 1}\n\nclass Store:\n    def keep(self, a):\n        return a\n"
    )
    (tmp_path / "main.py").write_text("from steps import Store, fetch\n\nStore().keep(fetch()['a'])\n")
    one = ProjectAnalysis(tmp_path)
    assert [str(f) for f in one.list_flows()] == ["steps.fetch.a -> Store.keep.a (main.py:3)"]


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    """A file that does not parse calls nothing, and is said."""
    one = project(tmp_path, {"broken.py": "from agents.a import Clean; Clean().clean((\n", "agents/c.py": HEAD})
    assert one.find_links() == ()
    assert any("broken.py:1 cannot be parsed" in line for line in one.texts.left_out)


STORE = """
class Store(GraphBusNode):
    @schema_method(input_schema={"key": str}, output_schema={"quantity": int})
    def WORD(self, key="a"):
        return {"quantity": 1}


class Use(GraphBusNode):
    @schema_method(input_schema={"qty": int}, output_schema={})
    def use(self, qty):
        return {}
"""


@pytest.mark.parametrize(
    ("word", "call"),
    [("get", 'Store().get("a")'), ("pop", 'store.pop("a")'), ("copy", "Store().copy()"), ("copy", "store.copy()")],
)
def test_a_method_that_is_called_as_one_of_dicts_is_the_agents_own(tmp_path: Path, word: str, call: str) -> None:
    """`store.get("a")` is a call of Store.get, and no look-up in a dict."""
    main = f'from agents.a import Store, Use\nstore = Store()\nr = {call}\nUse().use(qty=r["quantity"])\n'
    found = project(tmp_path, {"main.py": main}, STORE.replace("WORD", word))
    assert flows(found) == [f"Store.{word}.quantity -> Use.use.qty"]


@pytest.mark.parametrize("copied", ["r.copy()", "r.copy().copy()", "{**r}.copy()", 'dict(r=r).get("r").copy()'])
def test_a_copy_of_what_an_agent_gives_is_what_it_gives(tmp_path: Path, copied: str) -> None:
    """`dict.copy` keeps the way that a value came."""
    main = IMPORT + f'r = Load().load(1)\nc = {copied}\nClean().clean(qty=c.get("quantity"), rows=[])\n'
    assert QTY in flows(project(tmp_path, {"main.py": main}))


def test_parts_that_share_parts_are_followed_once(tmp_path: Path) -> None:
    """Inside of a function gone into, too: 24 lines of this had 16 million ways."""
    again = "    r = [r, [r]]\n" * 24
    body = f"{IMPORT}def made(r):\n{again}    return r\nClean().clean(qty=made(Load().load(1)), rows=[])\n"
    assert flows(project(tmp_path, {"main.py": body}))[0].startswith("Load.load -> Clean.clean.qty")
