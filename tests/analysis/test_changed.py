"""What other code stores over a value: then the line that hands it on is not evidence, and what arrives no finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.projects import project
from tests.analysis.test_called_links import IMPORT, linked

ENDS = ("Load.load.quantity", "Clean.clean.qty")
HAND_ON = 'Clean().clean(qty=r["quantity"], rows=[])\n'
METHODS = """
class App:
    def load(self):
        self.r = Load().load(1)
    def convert(self):
        self.r["quantity"] = self.r["quantity"] / 1000
    def save(self):
        Clean().clean(qty=self.r["quantity"], rows=[])
"""
KEPT = """
class A:
    def load(self):
        self.t = Load().load(1)["quantity"]
    def save(self):
        Clean().clean(qty=self.t, rows=[])
a = A()
"""
NONLOCAL = """
def run():
    n = Load().load(1)["quantity"]
    def convert():
        nonlocal n
        n *= 2
    convert()
    Clean().clean(qty=n, rows=[])
"""


@pytest.mark.parametrize(
    "text",
    [
        'r = Load().load(1)\nother = r\nother["quantity"] *= 2\n' + HAND_ON,
        'import operator\nr = Load().load(1)\noperator.setitem(r, "quantity", 2)\n' + HAND_ON,
        'r = Load().load(1)\nr.__setitem__("quantity", 2)\n' + HAND_ON,
        "r = Load().load(1)\n(lambda one: one.update(quantity=2))(r)\n" + HAND_ON,
        'def half(d):\n    d["quantity"] /= 2\n    return 1\nr = Load().load(1)\nx = half(r)\n' + HAND_ON,
        "def half(d, ks):\n    for k in ks:\n        d[k] = d[k] / 2\nr = Load().load(1)\nhalf(d=r, ks=[])\n" + HAND_ON,
        'def half(ds):\n    for d in ds:\n        d["quantity"] /= 2\nr = Load().load(1)\nhalf([r])\n' + HAND_ON,
        "class More(Load):\n    pass\ndef half(self, x):\n    return {}\nLoad.load = half\nr = Load().load(1)\n"
        + HAND_ON,
        "import contextlib\nr = Load().load(1)\nwith contextlib.suppress(TypeError):\n    " + HAND_ON,
        METHODS,
        NONLOCAL,
        KEPT + "a.t = a.t / 2\na.save()\n",
        KEPT + 'setattr(a, "t", a.t / 2)\na.save()\n',
        KEPT + "class B(A):\n    def load(self):\n        super().load()\n        self.t /= 2\n",
        'from unittest.mock import patch\n@patch.object(Load, "load")\ndef f(m):\n    r = Load().load(1)\n    '
        + HAND_ON,
    ],
)
def test_what_is_stored_over_is_no_evidence(text: str, tmp_path: Path) -> None:
    """By another name, method, closure, lambda or helper; or what the call calls is another function by then."""
    with project(tmp_path, {"main.py": IMPORT + text}) as one:
        assert one.find_evidence(*ENDS) == ()


@pytest.mark.parametrize(
    "text",
    [
        'r = Load().load(1)\nr["seen"] = True\n' + HAND_ON,
        'r = Load().load(1)\nother = {"quantity": 1}\nother["quantity"] = 2\n' + HAND_ON,
        'def count(d):\n    d["n"] = 1\n    return d["quantity"]\nr = Load().load(1)\nx = count(r)\n' + HAND_ON,
        'totals = {}\nr = Load().load(1)\nfor k in ("a", "b"):\n    totals[k] = 1\n' + HAND_ON,
        "r = Load().load(1)\nprint(r)\n" + HAND_ON,
    ],
)
def test_what_is_stored_elsewhere_takes_nothing_away(text: str, tmp_path: Path) -> None:
    """Another key, another dict, a function that only reads."""
    with project(tmp_path, {"main.py": IMPORT + text}) as one:
        assert [str(e) for e in one.find_evidence(*ENDS)] == [f"called at main.py:{text.count(chr(10)) + 1}"]


OK = """
def ok(d):
    d["quantity"] = int(d["quantity"])
    return d
r = Load().load(1)
if ok(r):
    Clean().clean(**r)
"""


def test_an_attribute_that_its_class_alone_sets_is_evidence(tmp_path: Path) -> None:
    """Another class's attribute of that name takes nothing away."""
    other = "class C:\n    def __init__(self):\n        self.t = 1\nc = C()\nc.t = 2\n"
    with project(tmp_path, {"main.py": IMPORT + KEPT + other}) as one:
        assert [str(e) for e in one.find_evidence(*ENDS)] == ["called at main.py:7"]


WORDS = """
class Load(GraphBusNode):
    @schema_method(input_schema={"x": int}, output_schema={"quantity": str, "rows": list})
    def load(self, x):
        return {"quantity": "1", "rows": []}
class Clean(GraphBusNode):
    @schema_method(input_schema={"quantity": int, "rows": list}, output_schema={"n": int})
    def clean(self, quantity, rows):
        return {"n": quantity}
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("r = Load().load(1)\nClean().clean(**r)\n", 1),
        (
            OK,
            0,
        ),
        ('r = Load().load(1)\nsame = r\nsame["quantity"] = 1\nClean().clean(**r)\n', 0),
        ('r = Load().load(1)\nsame = r\nsame["rows"] = []\nClean().clean(**r)\n', 1),
    ],
)
def test_what_is_converted_on_the_way_is_no_finding(text: str, found: int, tmp_path: Path) -> None:
    """The value that arrives is the one that was stored last."""
    assert len(linked(tmp_path, WORDS, {"main.py": IMPORT + text}).mismatches) == found


NULL = """
class Load(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"kg": str | None})
    def load(self):
        return {"kg": None}
class Clean(GraphBusNode):
    @schema_method(input_schema={"kg": str}, output_schema={"n": str})
    def clean(self, kg):
        return {"n": kg}
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('r = Load().load()\nassert r["kg"]\nClean().clean(**r)\n', 0),
        ('[Clean().clean(**r) for r in [Load().load()] if r["kg"]]\n', 0),
        ('r = Load().load()\nwhile r["kg"]:\n    Clean().clean(**r)\n    break\n', 0),
        ("r = Load().load()\nwhile True:\n    Clean().clean(**r)\n    break\n", 1),
        ("[Clean().clean(**r) for r in [Load().load()]]\n", 1),
    ],
)
def test_a_call_behind_a_check_has_the_benefit_of_the_doubt(text: str, found: int, tmp_path: Path) -> None:
    """An assertion, a filter of a comprehension, a `while` that asks."""
    assert len(linked(tmp_path, NULL, {"main.py": IMPORT + text}).mismatches) == found


OWN = """
class Load(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"kg": str})
    def load(self):
        return {"kg": ""}
def fetched(load):
    return load.load()
class Clean(GraphBusNode):
    def __init__(self):
        self.loader = Load()
    @depends_on("Load.load")
    @schema_method(input_schema={"n": int}, output_schema={"all": list})
    def clean(self, n):
        return {"all": [HOW for _ in range(n)]}
    def _one(self):
        return self.loader.load()
"""


@pytest.mark.parametrize("how", ["self._one()", "fetched(self.loader)", "self.loader.load()"])
def test_a_method_is_fed_by_its_own_code_through_its_helpers(how: str, tmp_path: Path) -> None:
    """Its private method calls the producer, or a function of the module does."""
    found = linked(tmp_path, OWN.replace("HOW", how))
    assert found.mismatches == ()
    assert [link.own for link in found.links] == [True]
