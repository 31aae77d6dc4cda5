"""Evidence that a build finds in a project: calls, passing tests, declared aliases, docstrings; and what it asks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.evidence import EvidenceSources
from graphbus_core.analysis.links import LinkResult, link
from graphbus_core.analysis.scan import scan
from graphbus_core.build.builder import build_project
from graphbus_core.cli.main import main
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.services.build_findings import list_build_findings
from graphbus_core.sessions.build.hooks import Hooks

HEAD = "from typing import Annotated, TypedDict\n"
HEAD += "from graphbus_core import Alias, GraphBusNode, depends_on, schema_method\n"
STOCK = (
    HEAD
    + """
class Stock(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"amount": int, "left": int})
    def get(self):
        return {"amount": 3, "left": 4}
"""
)
ORDER = (
    HEAD
    + """
class Order(GraphBusNode):
    @depends_on("Stock.get")
    @schema_method(input_schema={"qty": int}, output_schema={"line": str})
    def use(self, qty):
        return {"line": f"{qty}"}
"""
)
FILES = {"pyproject.toml": "[project]\nname = 'p'\n", "agents/stock.py": STOCK, "agents/order.py": ORDER}
LINK = "Stock.get => Order.use"


def write(root: Path, files: dict[str, str]) -> Path:
    """Write a project; gives its root."""
    for path, text in {**FILES, **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def heard(root: Path, edited: tuple[str, ...] = ()) -> list[tuple[str, str, str]]:
    """Kind, sent and taken of all evidence."""
    project = scan(root / "agents")
    linked = EvidenceSources(project.root).attach_evidence(project.agents, link(project.agents), edited=edited)
    return list_evidence(linked)


def list_evidence(linked: LinkResult) -> list[tuple[str, str, str]]:
    """What backs a repair; not where the ends stand, nor what nearly sufficed."""
    entries = [one for m in linked.mismatches for one in m.evidence]
    return [
        (e["kind"], e["sent"], e["taken"])
        for e in entries
        if e["kind"] not in ("consumer", "producer", "nearly", "table", "by name")
    ]


USE = """
# How to use it

>>> from agents.order import Order
>>> from agents.stock import Stock
>>> Order().use(qty=Stock().get()["left"])["line"]
'4'
"""
RUNS_TEXT = "import doctest\n\ndef test_docs():\n    assert not doctest.testfile('../docs/use.md').failed\n"


@pytest.mark.parametrize("inner", ["", "src/", "service/"])
def test_a_text_that_is_not_written_yet_is_a_witness(tmp_path: Path, inner: str) -> None:
    """Also where the agents' modules lie in a folder of the project; and what calls beside it counts."""
    files = {f"{inner}{path}": text for path, text in FILES.items() if path.startswith("agents")}
    for path, text in {**files, "pyproject.toml": ""}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    project = scan(tmp_path / inner / "agents").with_whole_folder(tmp_path)
    call = "\n\ndef run():\n    from agents.stock import Stock\n"
    call += "    return Order().use(qty=Stock().get()['left'])\n\nrun()\n"
    below = (tmp_path / inner).relative_to(project.root).as_posix()
    path = "agents/order.py" if below == "." else f"{below}/agents/order.py"
    witnesses = EvidenceSources(project.root, whole=project.whole)
    linked = witnesses.attach_evidence(project.agents, link(project.agents), {path: (ORDER + call).encode()})
    assert list_evidence(linked) == [("flow", "left", "qty")]
    found = f"import sys\nsys.path.insert(0, {inner!r})\nfrom agents.order import Order{call}"
    (tmp_path / "main.py").write_text(found)
    linked = witnesses.attach_evidence(project.agents, link(project.agents))
    assert list_evidence(linked) == [("flow", "left", "qty")]
    assert any("main.py:" in one["where"] for m in linked.mismatches for one in m.evidence if one["kind"] == "flow")


TEST = (
    "from agents.order import Order\nfrom agents.stock import Stock\n\n\n"
    "def test_it():\n    got = Stock().get()\n    assert Order().use(qty=got['left'])['line'] == '4'\n"
)


VIEW = """
class View:
    def __init__(self, row):
        self.row = row

    @property
    def qty(self):
        return self.row["left"]
"""
SHOWN = (
    "from agents.order import Order\nfrom agents.stock import Stock\nfrom agents.view import *\n\n"
    "row = Stock().get()\nprint(View(row).qty)\n"
)
OTHER = "print(Other(row).qty)\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({}, []),
        (
            {
                "main.py": "from agents.order import Order\nfrom agents.stock import Stock\n\n"
                "def run():\n    r = Stock().get()\n    return Order().use(qty=r['left'])\n\nrun()\n"
            },
            [("flow", "left", "qty")],
        ),
        (
            {"agents/order.py": ORDER.replace('"qty": int', '"qty": Annotated[int, Alias("left")]')},
            [("alias", "left", "qty")],
        ),
        (
            {
                "agents/order.py": ORDER.replace(
                    "class Order", "class In(TypedDict):\n    qty: Annotated[int, Alias('left')]\n\nclass Order"
                ).replace('{"qty": int}', "In")
            },
            [("alias", "left", "qty")],
        ),
        (
            {
                "agents/shapes.py": "from dataclasses import dataclass\nfrom typing import Annotated\n"
                "from graphbus_core import Alias\n\n@dataclass\nclass In:\n    qty: Annotated[int, Alias('left')]\n",
                "agents/order.py": ORDER.replace('{"qty": int}', "In").replace(HEAD, HEAD + "from .shapes import In\n"),
            },
            [("alias", "left", "qty")],
        ),
        (  # what it is written out as says nothing of what it is read by
            {
                "agents/order.py": ORDER.replace(
                    "class Order",
                    "from pydantic import BaseModel, Field\n\n"
                    "class In(BaseModel):\n    qty: int = Field(serialization_alias='left')\n\nclass Order",
                ).replace('{"qty": int}', "In")
            },
            [],
        ),
        (
            {
                "agents/order.py": ORDER.replace(
                    "(self, qty):", '(self, qty):\n        """Order.\n\n        qty: `left` of the stock\n        """'
                )
            },
            [],
        ),
        (
            {
                "agents/kinds.py": "from typing import NewType\n\nRest = NewType('Rest', int)\n",
                "agents/stock.py": STOCK.replace('"left": int', '"left": Rest').replace(
                    HEAD, HEAD + "from .kinds import Rest\n"
                ),
                "agents/order.py": ORDER.replace('"qty": int', '"qty": Rest').replace(
                    HEAD, HEAD + "from .kinds import Rest\n"
                ),
            },
            [("newtype", "left", "qty")],
        ),
        (
            {
                "agents/kinds.py": "from typing import NewType\n\nRest = NewType('Rest', int)\n",
                "agents/stock.py": STOCK.replace('"amount": int, "left": int', '"amount": Rest, "left": Rest').replace(
                    HEAD, HEAD + "from .kinds import Rest\n"
                ),
                "agents/order.py": ORDER.replace('"qty": int', '"qty": Rest').replace(
                    HEAD, HEAD + "from .kinds import Rest\n"
                ),
            },
            [],
        ),
        ({"agents/view.py": VIEW, "main.py": SHOWN}, [("alias", "left", "qty")]),
        ({"agents/view.py": VIEW.replace("return self.row", "return 2 * self.row"), "main.py": SHOWN}, []),
        (  # of two things that go by one name, nobody knows which one the consumer means
            {
                "agents/view.py": VIEW + VIEW.replace("View", "Other").replace("left", "amount"),
                "main.py": SHOWN + OTHER,
            },
            [],
        ),
        ({"agents/view.py": VIEW, "main.py": SHOWN + "Order().use(qty=row['amount'])\n"}, [("flow", "amount", "qty")]),
        ({"tests/test_it.py": TEST}, [("test", "left", "qty")]),
        ({"tests/test_it.py": TEST.replace("'4'", "'5'")}, []),  # it does not pass
        ({"docs/use.md": USE, "tests/test_docs.py": RUNS_TEXT}, [("test", "left", "qty")]),
        ({"docs/use.md": USE.replace("'4'", "'5'"), "tests/test_docs.py": RUNS_TEXT}, []),
        ({"docs/use.md": USE}, []),  # nothing runs it
    ],
    ids=[
        "nothing",
        "a call",
        "an alias",
        "an alias in a class",
        "an alias in another file",
        "an alias of what is written",
        "a docstring",
        "a newtype",
        "a newtype twice",
        "a property of a view",
        "a property that makes something",
        "a property of two views",
        "a property that a call speaks against",
        "a test",
        "a red test",
        "a text",
        "a red text",
        "a text that nothing runs",
    ],
)
def test_what_is_found(files: dict[str, str], found: list[Any], tmp_path: Path) -> None:
    """Each with the fields that it speaks of."""
    assert heard(write(tmp_path, files)) == found


def test_who_is_called_by_a_name_that_is_made_as_it_runs_is_mapped_and_not_renamed(tmp_path: Path) -> None:
    """A door takes node, method and fields from a text: a rename would not reach whoever writes that."""
    door = (
        "import json\nfrom agents.order import Order\nfrom agents.stock import Stock\n\nNODES = {'order': Order}\n\n\n"
    )
    door += "def handle(text):\n    asked = json.loads(text)\n    node = NODES[asked['node']]()\n"
    door += "    return getattr(node, asked['method'])(**asked['fields'])\n\n\n"
    door += "print(handle('{}') if input() else Order().use(qty=Stock().get()['left']))\nhandle(input())\n"
    project = scan(write(tmp_path, {"door.py": door}) / "agents")
    linked = EvidenceSources(project.root).attach_evidence(project.agents, link(project.agents))
    assert "by name" in {entry["kind"] for mismatch in linked.mismatches for entry in mismatch.evidence}


CALL = "Order().use(qty=Stock().get()['left'])"
CALLED = {
    "nobody calls it, and it is public": (f"def run():\n    return {CALL}\n", True),
    "nobody calls it, and it is private": (f"def _run():\n    return {CALL}\n", False),
    "only a private one calls it": (f"def _run():\n    return {CALL}\n\ndef _go():\n    return _run()\n", False),
    "a public one calls it": (
        f"def _run():\n    return {CALL}\n\ndef go(*names):\n    return [_run() for n in names]\n",
        True,
    ),
    "it calls itself": (f"def run():\n    run()\n    return {CALL}\n", True),
    "nobody calls it, and code that runs gives another value": (
        f"def run():\n    return {CALL}\n\nOrder().use(qty=len('abc'))\n",
        False,
    ),
    "nobody calls it, and neither the one that gives another value": (
        f"def run():\n    return {CALL}\n\ndef use(n):\n    return Order().use(qty=n)\n",
        False,
    ),
    "nobody calls it, and other code expects it to be refused": (
        f"def run():\n    return {CALL}\n\nimport contextlib\n\nwith contextlib.suppress(ValueError):\n    {CALL}\n",
        False,
    ),
    "nobody calls it, and it is handed what it gives on": (
        "def use(n):\n    return Order().use(qty=n)\n\ndef run():\n    return use(Stock().get()['left'])\n",
        True,
    ),
    "two that call each other, and one is called": (
        f"def run(n):\n    go(n)\n    return {CALL}\n\ndef go(n):\n    run(n - 1)\n\ngo(1)\n",
        True,
    ),
    "a method of a public class": (f"class Shop:\n    def go_on(self):\n        return {CALL}\n", True),
    "of one that keeps its nodes": (
        (
            "class Shop:\n    def __init__(self, city):\n        self.a, self.b = Stock(), Order()\n\n"
            "    def go_on(self, n):\n        return self.b.use(qty=self.a.get()['left'])\n"
        ),
        True,
    ),
    "of one that is given its nodes": (
        (
            "from dataclasses import dataclass\n\n@dataclass\nclass Shop:\n    a: Stock\n    b: Order\n\n"
            "    def go_on(self, n):\n        return self.b.use(qty=self.a.get()['left'])\n"
        ),
        True,
    ),
    "what is given by its hints": (
        "def go(a: Stock, *, b: Order, n=1):\n    return b.use(qty=a.get()['left'])\n",
        True,
    ),
    "what is given, and of another kind": (
        "def go(a: dict, *, b: Order):\n    return b.use(qty=a.get()['left'])\n",
        False,
    ),
    "by the bus that is given": (
        "def go(bus):\n    return bus.call('Order.use', {'qty': bus.call('Stock', 'get', {})['left']})\n",
        True,
    ),
    "a method of a private class": (f"class _Old:\n    def go_on(self):\n        return {CALL}\n", False),
    "a private method": (f"class Shop:\n    def _go_on(self):\n        return {CALL}\n", False),
    "a constructor": (f"class Job:\n    def __init__(self):\n        self.line = {CALL}\n\nJob()\n", True),
    "a thread's own": (f"import threading\n\nclass T(threading.Thread):\n    def run(self):\n        {CALL}\n", True),
    "a lambda that nobody calls": (f"again = lambda: {CALL}\n", False),
    "a lambda that is handed on": (f"print(list(map(lambda _: {CALL}, [1])))\n", True),
    "a command": (f"import click\n\n@click.command()\ndef go_on():\n    {CALL}\n", True),
    "handed on": (f"import atexit\n\ndef go_on():\n    {CALL}\n\natexit.register(go_on)\n", True),
    "by its name in text": (f"def go_on():\n    {CALL}\n\nTASKS = ['main.go_on']\n", True),
    "in a comment and a docstring": (f'"""_go does it."""\n# _go()\ndef _go():\n    {CALL}\n', False),
    "a keyword that nobody takes": ("Order().use(qty=Stock().get()['left'], colour=1)\n", False),
    "below a way out": (f"import sys\n\nsys.exit(0)\n{CALL}\n", False),
    "below a function that never comes back": (f"def end():\n    raise SystemExit\n\nend()\n{CALL}\n", False),
    "below a check of something else": (f"import os, sys\n\nif not os.cpu_count():\n    sys.exit()\n{CALL}\n", True),
    "an argument too many": ("Order().use(1, 2, qty=Stock().get()['left'])\n", False),
}


@pytest.mark.parametrize("case", CALLED)
def test_a_call_that_is_never_made_is_no_evidence(case: str, tmp_path: Path) -> None:
    """It may be wrong for years: nobody runs it, or Python would not take it."""
    text, counts = CALLED[case]
    head = "from agents.order import Order\nfrom agents.stock import Stock\n\n"
    found = heard(write(tmp_path, {"main.py": head + text}))
    assert found == ([("flow", "left", "qty")] if counts else [])


HANDED = {
    "as it is": ("r = Stock().get()\nOrder().use(qty=r['left'])\n", True),
    "by a name": ("left = Stock().get()['left']\nqty = left\nOrder().use(qty)\n", True),
    "unpacked": ("a, left = Stock().get().values()\nOrder().use(qty=left)\n", True),  # in the order its body writes
    "in a dict": ("r = Stock().get()\nOrder().use(**{'qty': r['left']})\n", True),
    "by a function": ("def go(row):\n    Order().use(qty=row['left'])\n\ngo(Stock().get())\n", True),
    "main": ("if __name__ == '__main__':\n    Order().use(qty=Stock().get()['left'])\n", True),
    "get": ("Order().use(qty=Stock().get().get('left'))\n", True),
    "a default": ("Order().use(qty=Stock().get().get('left', 0))\n", False),
    "or": ("r = Stock().get()\nOrder().use(qty=r['left'] or 1)\n", False),
    "one of two": ("r = Stock().get()\nOrder().use(qty=r['left'] if r['amount'] else 1)\n", False),
    "a parameter's default": ("def go(n=1):\n    Order().use(qty=n)\n\ngo(Stock().get()['left'])\ngo()\n", False),
    "another caller": ("def go(n):\n    Order().use(qty=n)\n\ngo(Stock().get()['left'])\ngo(1)\n", False),
    "a condition": ("r = Stock().get()\nif r['amount'] > 1:\n    Order().use(qty=r['left'])\n", False),
    "bound under a condition": (
        "r = Stock().get()\nif r['amount'] > 1:\n    qty = r['left']\nOrder().use(qty=qty)\n",
        False,
    ),
    "its function called under a condition": (
        "def go(r):\n    Order().use(qty=r['left'])\n\nr = Stock().get()\nif r['amount'] > 1:\n    go(r)\n",
        False,
    ),
    "after a way out": (
        "def go(r):\n    if r['amount'] > 1:\n        return\n    Order().use(qty=r['left'])\n\ngo(Stock().get())\n",
        False,
    ),
    "a part of it": ("Order().use(qty=Stock().get()['left'][:2])\n", False),
    "an attribute's default": ("Order().use(qty=getattr(Stock().get(), 'left', 1))\n", False),
    "made into another": ("Order().use(qty=int(Stock().get()['left']))\n", False),
    "and made into another": (
        "r = Stock().get()\nOrder().use(qty=r['left'])\nOrder().use(qty=r['left'] * 2)\n",
        False,
    ),
    "and paired otherwise": (
        "r = Stock().get()\nOrder().use(qty=r['left'])\nOrder().use(qty=r['amount'])\n",
        False,
    ),
    "one of two that a function gives": (
        (
            "def two():\n    r = Stock().get()\n    return r['left'], r['amount']\n\n"
            "left, amount = two()\nOrder().use(qty=left)\n"
        ),
        True,
    ),
    "in an object without code": (
        (
            "from dataclasses import dataclass\n\n@dataclass\nclass Line:\n    qty: int\n\n"
            "line = Line(qty=Stock().get()['left'])\nOrder().use(qty=line.qty)\n"
        ),
        True,
    ),
    "in an object with code": (
        (
            "class Line:\n    def __init__(self, qty):\n        self.qty = qty * 2\n\n"
            "line = Line(qty=Stock().get()['left'])\nOrder().use(qty=line.qty)\n"
        ),
        False,
    ),
    "numbered": ("for i, r in enumerate([Stock().get()]):\n    Order().use(qty=r['left'])\n", True),
    "side by side": ("for r, n in zip([Stock().get()], [1]):\n    Order().use(qty=r['left'])\n", True),
    "the first": ("Order().use(qty=next(iter([Stock().get()]))['left'])\n", True),
    "yielded": (
        "def rows():\n    yield Stock().get()\n\nfor r in rows():\n    Order().use(qty=r['left'])\n",
        True,
    ),
    "to a thread": (
        (
            "import asyncio\n\nasync def go():\n    r = Stock().get()\n"
            "    await asyncio.to_thread(Order().use, qty=r['left'])\n\nasyncio.run(go())\n"
        ),
        True,
    ),
    "to a pool": (
        (
            "from concurrent.futures import ThreadPoolExecutor\n\nr = Stock().get()\n"
            "with ThreadPoolExecutor() as pool:\n    pool.submit(Order().use, r['left'])\n"
        ),
        True,
    ),
    "all values of a record": ("Order().use(*Stock().get().values())\n", False),
    "all values of a record, in a list": ("Order().use(*list(Stock().get().values()))\n", False),
    "below a check of what is given": (
        "r = Stock().get()\nif r['amount'] > 1:\n    exit()\nOrder().use(qty=r['left'])\n",
        False,
    ),
    "bound before": (
        "from functools import partial\n\npartial(Order().use, qty=Stock().get()['left'])()\n",
        True,
    ),
    "kept in an object": (
        (
            "class Job:\n    def __init__(self):\n        self.row = None\n\n    def go(self):\n"
            "        self.row = Stock().get()\n        Order().use(qty=self.row['left'])\n\nJob().go()\n"
        ),
        True,
    ),
}


@pytest.mark.parametrize("case", HANDED)
def test_a_call_proves_a_pair_where_the_value_has_one_origin(case: str, tmp_path: Path) -> None:
    """Assignment, access, unpacking, building and passing alone; no `or`, default, branch or conversion."""
    text, counts = HANDED[case]
    head = "from agents.order import Order\nfrom agents.stock import Stock\n\n"
    found = heard(write(tmp_path, {"main.py": head + text}))
    assert found == ([("flow", "left", "qty")] if counts else [])


def test_a_fixture_that_a_passing_test_takes_is_a_witness(tmp_path: Path) -> None:
    """What it calls is held by the tests that it is given to; of one that nobody takes nothing is known."""
    fixture = TEST.partition("def test_it")[0] + "import pytest\n\n\n@pytest.fixture\ndef line():\n"
    fixture += "    return Order().use(qty=Stock().get()['left'])['line']\n"
    root = write(tmp_path, {"tests/test_it.py": fixture})
    assert heard(root) == []
    (root / "tests/test_it.py").write_text(f"{fixture}\n\ndef test_line(line):\n    assert line == '4'\n")
    assert heard(root) == [("test", "left", "qty")]


@pytest.mark.parametrize(("wanted", "told"), [("'4'", [("test", "left", "qty")]), ("'5'", []), ("", [])])
def test_a_doctest_that_holds_its_result_is_a_witness(wanted: str, told: list[Any], tmp_path: Path) -> None:
    """It is a test, on the line where it stands: it has to pass, and to say what it wants."""
    text = '"""Sales.\n\n>>> r = Stock().get()\n>>> _ = Order().use(qty=r[\'left\'])\n"""\n'
    if wanted:
        text = text.replace("_ = Order().use(qty=r['left'])", f"Order().use(qty=r['left'])['line']\n{wanted}")
    text += "from agents.order import Order\nfrom agents.stock import Stock\n"
    root = write(tmp_path, {"sales.py": text})
    assert heard(root) == told


def test_what_a_fixture_gives_is_followed_into_the_test(tmp_path: Path) -> None:
    """A parameter of a test is the fixture of its name."""
    test = TEST.replace("test_it():\n    got = Stock().get()", "test_it(got):")
    test = test.replace(
        "\n\n\ndef", "\nimport pytest\n\n\n@pytest.fixture\ndef got():\n    return Stock().get()\n\n\ndef"
    )
    assert heard(write(tmp_path, {"tests/test_it.py": test})) == [("test", "left", "qty")]


def test_a_decorator_of_the_project_makes_a_mapping_of_a_call(tmp_path: Path) -> None:
    """It may read the field by its name, where no rename follows; a mapping changes neither end."""
    main_py = f"from agents.order import Order\nfrom agents.stock import Stock\n\n{CALL}\n"
    mask = HEAD + "\nimport functools\n\ndef masked(f):\n    @functools.wraps(f)\n    def call(self, **given):\n"
    mask += "        return f(self, **{k: v for k, v in given.items() if k in ('qty', 'memo')})\n    return call\n\n"
    order = ORDER.replace(HEAD, mask).replace("    def use", "    @masked\n    def use")
    root = write(tmp_path, {"main.py": main_py, "agents/order.py": order})
    assert heard(root) == [("flow", "left", "qty")]
    build(root)
    after = (root / "agents/order.py").read_text()
    assert 'map={"qty": "left"}' in after
    assert "def use(self, qty" in after


def test_a_call_of_a_class_that_inherits_the_method_is_a_call_of_it(tmp_path: Path) -> None:
    """Both are the same function; one that has its own is another."""
    head = "from agents.order import Order, Rush\nfrom agents.stock import Stock\n\n"
    call = CALL.replace("Order", "Rush")
    for body, found in (("    urgent = True\n", 2), ("    def use(self, qty):\n        return {'line': ''}\n", 0)):
        order = f"{ORDER}\n\nclass Rush(Order):\n{body}"
        root = write(tmp_path / str(found), {"main.py": head + call, "agents/order.py": order})
        assert heard(root).count(("flow", "left", "qty")) == found


PASSING = (
    HEAD
    + """
class Sieve(GraphBusNode):
    @depends_on("Stock.get")
    @schema_method(input_schema={"left": int}, output_schema={"some": int})
    def sift(self, left):
        return {"some": left}

class Order(GraphBusNode):
    @depends_on("Sieve.sift")
    @schema_method(input_schema={"some": int, "amount": int}, output_schema={"line": str})
    def use(self, some, amount):
        return {"line": f"{some}{amount}"}
"""
)


@pytest.mark.parametrize(("given", "told"), [("r['amount']", True), ("r['left']", False), ("r['amount'] * 2", False)])
def test_what_the_program_hands_round_a_producer_may_be_passed_on(given: str, told: bool, tmp_path: Path) -> None:
    """The value of the producer's own feeder, under the name that the consumer has for it."""
    main_py = "from agents.order import Order, Sieve\nfrom agents.stock import Stock\n\nr = Stock().get()\n"
    main_py += f"s = Sieve().sift(left=r['left'])\nOrder().use(some=s['some'], amount={given})\n"
    root = write(tmp_path, {"main.py": main_py, "agents/order.py": PASSING})
    assert heard(root) == ([("passed", "amount", "amount")] if told else [])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("Order().use(r['amount'])", [("test", "note", "note")]),
        ("Order().use(r['amount'], note='-')", []),
        ("Order().use(3)", []),  # nothing of the producer's
    ],
)
def test_a_test_that_goes_without_a_field_is_evidence_that_it_may_be_missing(
    given: str, told: list[Any], tmp_path: Path
) -> None:
    """It gives what the producer gives, leaves the field out, and holds the result to be equal."""
    order = ORDER.replace('{"qty": int}', '{"amount": int, "note": str}').replace(
        "(self, qty)", "(self, amount, note='')"
    )
    test = (
        TEST.replace("got = Stock()", "r = Stock()")
        .replace("Order().use(qty=got['left'])", given)
        .replace("'4'", "'3'")
    )
    files = {"agents/order.py": order.replace("{qty}", "{amount}"), "tests/test_it.py": test}
    assert heard(write(tmp_path, files)) == told


@pytest.mark.parametrize(
    ("main", "told"),
    [
        ("from jobs import go_on as go\n\ngo()\n", [("flow", "left", "qty")]),
        ("from jobs import go_on as go\n\nprint(list(map(go, ())))\n", [("flow", "left", "qty")]),
        ("import sys\nfrom jobs import go_on as go\n\nif sys.argv[1:]:\n    go()\n", []),  # under a condition
        ("from jobs import go_on as go\n", [("flow", "left", "qty")]),  # it is public, and nothing speaks against it
    ],
)
def test_a_function_is_called_by_the_name_an_import_gives_it(main: str, told: list[Any], tmp_path: Path) -> None:
    """Python does not mind either; a condition around such a call counts as around any other."""
    jobs = f"from agents.order import Order\nfrom agents.stock import Stock\n\ndef go_on():\n    return {CALL}\n"
    assert heard(write(tmp_path, {"jobs.py": jobs, "main.py": main})) == told


def test_an_entry_point_is_called(tmp_path: Path) -> None:
    """By whoever installs the project."""
    main_py = "from agents.order import Order\nfrom agents.stock import Stock\n\n"
    main_py += f"def go_on():\n    return {CALL}\n"
    scripts = "[project]\nname = 'p'\n[project.scripts]\ngo = 'main:go_on'\n"
    assert heard(write(tmp_path, {"main.py": main_py, "pyproject.toml": scripts})) == [("flow", "left", "qty")]


def test_a_test_that_this_build_wrote_is_no_evidence(tmp_path: Path) -> None:
    """Else a proposal could bring its own proof."""
    root = write(tmp_path, {"tests/test_it.py": TEST})
    assert heard(root, edited=("tests/test_it.py",)) == []


def build(root: Path, hooks: Hooks | None = None, **config: Any) -> Any:
    """A build with rules alone."""
    settings = BuildConfig(
        str(root / "agents"),
        output_dir=str(root / ".graphbus"),
        enable_agents=True,
        llm_config=LLMConfig(model="rules"),
        safety_config=SafetyConfig(max_negotiation_rounds=3),
        **config,
    )
    return build_project(settings, hooks)


def test_a_call_in_the_project_is_followed(tmp_path: Path) -> None:
    """`main.py` gives `left` as `qty`: that is what is meant, and the log says where it stands."""
    main_py = "from agents.order import Order\nfrom agents.stock import Stock\n\n"
    main_py += "def run():\n    r = Stock().get()\n    return Order().use(qty=r['left'])\n\nrun()\n"
    root = write(tmp_path, {"main.py": main_py})
    made = build(root)
    (fate,) = [p for p in made.negotiation.proposals if p.proposer == "Order"]
    assert "main.py:6" in fate.proposal["rationale"]
    assert fate.proposal["confidence"] == 0.95


def test_without_evidence_it_is_a_question_and_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not a byte is changed; the build says what is open, and `why` says it of the link."""
    root = write(tmp_path, {})
    monkeypatch.chdir(root)
    assert main(["build", "agents", "--enable-agents", "--model", "rules"]) == 1
    assert "1 question of meaning is open: Order.use requires 'qty'" in capsys.readouterr().out
    assert (root / "agents" / "order.py").read_text() == ORDER
    assert main(["why", "Stock.get", "Order.use"]) == 1
    out = capsys.readouterr().out
    assert "What is meant: left or amount, or none of them? open (nobody was asked)" in out
    assert main(["why", "Stock.get", "Order.us"]) == 2
    assert LINK in capsys.readouterr().err


def test_a_question_about_a_topic_shows_where_it_is_published(tmp_path: Path) -> None:
    """By its line, with a value, as of a method that another one needs."""
    stock = STOCK.replace('return {"amount": 3, "left": 4}', 'r = {"left": 4}; self.publish("/T", r); return r')
    order = ORDER.replace('depends_on("Stock.get")', 'subscribe("/T")').replace("depends_on", "subscribe")
    made = build(write(tmp_path, {"agents/stock.py": stock, "agents/order.py": order}))
    (question,) = made.negotiation.questions
    assert "agents/stock.py:6 (Stock.get gives left = 4)" in question["text"]


def test_a_newtype_at_both_ends_stands_first_in_a_question_and_repairs_nothing(tmp_path: Path) -> None:
    """It names what a value is, and not which part it plays: a payee's account is an account, and so is a debtor's."""
    kinds, first = "from typing import NewType\n\nRest = NewType('Rest', int)\n", HEAD + "from .kinds import Rest\n"
    stock = STOCK.replace('"left": int', '"left": Rest').replace(HEAD, first)
    order = ORDER.replace('"qty": int', '"qty": Rest').replace(HEAD, first)
    root = write(tmp_path, {"agents/kinds.py": kinds, "agents/stock.py": stock, "agents/order.py": order})
    made = build(root)
    assert len(made.linked.mismatches) == 1
    assert (root / "agents" / "order.py").read_text() == order
    (question,) = made.negotiation.questions
    assert question["candidates"][0]["name"] == "left"


def test_a_script_of_answers_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its choice is committed, and the log says who said so."""
    root = write(tmp_path, {})
    answers = root / "answers.yaml"
    answers.write_text(f"answers:\n  - {{link: {LINK}, field: qty, choice: left, reason: it is the stock}}\n")
    made = build(root, answers=str(answers))
    assert made.linked.mismatches == ()
    assert "def use(self, left):" in (root / "agents" / "order.py").read_text()
    (fate,) = made.negotiation.proposals
    assert "whoever decides here was asked, and said 'left': it is the stock" in fate.proposal["rationale"]
    assert list_build_findings(made) == []
    assert main(["log", "replay", "--dir", str(root / ".graphbus")]) == 0


@pytest.mark.parametrize("choice", ["none", "nothing of the kind"])
def test_an_answer_that_names_no_candidate_changes_nothing(choice: str, tmp_path: Path) -> None:
    """`none` is an answer; a name that was not shown is refused, and asked again in vain."""
    root = write(tmp_path, {})
    answers = root / "answers.yaml"
    answers.write_text(f"answers:\n  - {{field: qty, choice: {choice}}}\n")
    made = build(root, answers=str(answers))
    assert (root / "agents" / "order.py").read_text() == ORDER
    (question,) = made.negotiation.questions
    assert question["choice"] == ("none" if choice == "none" else None)
    assert any("of meaning" in one for one in list_build_findings(made)) is (choice != "none")
    assert main(["log", "replay", "--dir", str(root / ".graphbus")]) == 0


@pytest.mark.parametrize("text", ["- 1", "answers: [{field: qty}]", "answers: [{choise: a, choice: b}]", "a: ["])
def test_a_script_that_cannot_be_is_refused(text: str, tmp_path: Path) -> None:
    """Before anybody is asked."""
    root = write(tmp_path, {})
    (root / "answers.yaml").write_text(text)
    with pytest.raises(UsageError, match=r"answers\.yaml"):
        build(root, answers=str(root / "answers.yaml"))


class Person:
    """Approves everything, and says what is meant."""

    def __init__(self) -> None:
        self.asked: list[Ask] = []

    async def answer(self, ask: Ask, view: View) -> Reply:
        self.asked.append(ask)
        return Reply({"choice": "amount"} if ask.kind == "choose" else {"approve": True})


def test_a_person_is_asked_once_and_an_answer_survives_a_restart(tmp_path: Path) -> None:
    """With --approve; the answer is kept before it is used, so `--resume` asks for it no more."""
    root = write(tmp_path, {})
    first = Person()

    def stop(kind: str, data: Any) -> None:
        if kind == "fact" and data["kind"] == "question_settled":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(root, Hooks(stop, approver=first), enable_human_in_loop=True)
    assert [ask.kind for ask in first.asked] == ["choose"]
    assert (
        json.dumps(first.asked[0].about["answer_schema"]["properties"]["choice"])
        == '{"enum": ["left", "amount", "none"]}'
    )
    second = Person()
    made = build(root, Hooks(approver=second), resume=True)
    assert [ask.kind for ask in second.asked] == ["approve"]
    assert made.linked.mismatches == ()
    assert "def use(self, amount):" in (root / "agents" / "order.py").read_text()


PARTS = """
class Author(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"doc": int, "personId": str})
    def load(self):
        return {"doc": 1, "personId": "ann"}

class Shelf(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"year": int, "owner": str})
    def find(self):
        return {"year": 1999, "owner": "bob"}

class Printer(GraphBusNode):
    @depends_on("Author.load", "Shelf.find")
    @schema_method(input_schema={"doc": int, "year": int, "person_id": str}, output_schema={"done": str})
    def sign(self, doc, year, person_id):
        return {"done": f"{doc}{year}{person_id}"}
"""


def test_a_joined_method_is_repaired_with_what_the_other_producer_gives_beside_it(tmp_path: Path) -> None:
    """What the one does not send, the other does: that is not a gap, and the rehearsal gives both."""
    call = "from agents.parts import Author, Printer, Shelf\n\na, s = Author().load(), Shelf().find()\n"
    call += "Printer().sign(doc=a['doc'], year=s['year'], person_id=a['personId'])\n"
    files = {"pyproject.toml": "[project]\nname = 'p'\n", "agents/parts.py": HEAD + PARTS, "main.py": call}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    build(tmp_path)
    assert "def sign(self, doc, year, personId):" in (tmp_path / "agents/parts.py").read_text()
