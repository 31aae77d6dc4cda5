"""Slips that can be told from the text are never committed, with or without `--verify`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphbus_core.commit.gates import names
from graphbus_core.commit.gates.names import find_unbound_names
from tests.commit.projects import about, engine, texts, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "project")


def function(body: str, name: str = "f") -> ast.FunctionDef:
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    made = ast.parse(f"def {name}(self, a):\n{lines}").body[0]
    assert isinstance(made, ast.FunctionDef)
    return made


@pytest.mark.parametrize(
    "body",
    [
        "if a:\n    return 1",
        "for x in a:\n    return x",
        "try:\n    return 1\nexcept KeyError:\n    a = 2",
        "while a:\n    return 1",
        "while True:\n    if a:\n        break",
        "match a:\n    case 1:\n        return 1",
        "a = 1",
        "if a:\n    return 1\nelif self:\n    return 2",
        "def g():\n    return 1",
        "with suppress(KeyError):\n    return a[0]",
        "raise NotImplementedError",
        'raise NotImplementedError("later")',
        "...",
        "pass  # unchanged",
        '"""Said elsewhere."""',
    ],
)
def test_a_path_that_gives_nothing_is_found(body: str) -> None:
    assert names.can_fall_through(function(body))


@pytest.mark.parametrize(
    "body",
    [
        "return 1",
        "if a:\n    return 1\nreturn 2",
        "if a:\n    return 1\nelse:\n    raise ValueError",
        "try:\n    return 1\nexcept KeyError:\n    raise",
        "try:\n    a = 1\nfinally:\n    return 1",
        "while True:\n    a = a()",
        "while True:\n    for x in a:\n        break",
        "with a:\n    return 1",
        "match a:\n    case 1:\n        return 1\n    case _:\n        return 2",
        "yield 1",
        "import sys\nsys.exit(1)",
        "assert False",
    ],
)
def test_a_path_that_gives_something_or_never_ends_is_none(body: str) -> None:
    assert not names.can_fall_through(function(body))


@pytest.mark.parametrize(
    "body",
    [
        "return",
        "return [a]",
        "return {'n': 1} if a else None",
        "return a and {'n': 1}",
        "return {'n': 1}, None",
        "return lambda: {'n': 1}",
        "def g():\n    return {'n': 1}\nreturn g",
        "return json.dumps({'n': 1})",
        "return print({'n': 1})",
    ],
)
def test_a_return_that_is_no_object_is_found(body: str) -> None:
    assert names.can_return_no_object(function(body))


@pytest.mark.parametrize("body", ["return a", "return {'n': 1}", "return a or {}", "return dict(n=1)", "raise a"])
def test_a_return_that_may_be_an_object_is_left_alone(body: str) -> None:
    assert not names.can_return_no_object(function(body))


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("out = {}\nout['m'] = 1\nreturn out", {"m"}),
        ("out = {'m': 1}\nif a:\n    out['n'] = 1\nreturn out", {"m"}),
        ("out = {}\nout['n'] = 1\nreturn out", set()),
        ("out = {}\nout['m'] = 1\nout.pop('m')\nreturn out", set()),
        ("out = a()\nout['m'] = 1\nreturn out", set()),
        ("seen = {}\nseen['m'] = 1\nreturn {'n': seen}", set()),
    ],
)
def test_a_key_that_is_put_into_what_is_returned_is_read(body: str, found: set[str]) -> None:
    assert names.find_undeclared_keys(function(body), {"n"}) == found


@pytest.mark.parametrize(
    "body",
    [
        "for x in a:\n    last = x\nreturn last",
        "if a:\n    n = 1\nreturn n",
        "try:\n    n = a[0]\nexcept IndexError:\n    pass\nreturn n",
        "if a:\n    import json\nreturn [json.dumps(x) for x in a]",
        "while a:\n    n = a.pop()\nreturn n",
        "with suppress(KeyError):\n    n = a[0]\nreturn n",
        "match a:\n    case 1:\n        n = 1\nreturn n",
        "if a:\n    n = 1\nelif self:\n    n = 2\nreturn f'{n}'",
    ],
)
def test_a_name_that_has_no_value_on_one_path_is_found(body: str) -> None:
    (found,) = find_unbound_names(ast.unparse(function(body)).encode(), "a.py")
    assert "has no value on every path" in found


@pytest.mark.parametrize(
    "body",
    [
        "if a:\n    n = 1\nelse:\n    n = 2\nreturn n",
        "if a:\n    n = 1\nelse:\n    raise ValueError\nreturn n",
        "if a:\n    n = 1\nif a:\n    return n\nreturn 0",  # the same condition once more
        "if a:\n    n = 1\nreturn n if a else 0",
        "n = 0\nfor x in a:\n    n = x\nreturn n",
        "for x in (1, 2):\n    n = x\nreturn n",
        "for x in a:\n    if x:\n        n = x\n        break\nelse:\n    n = 0\nreturn n",
        "while True:\n    n = a()\n    if n:\n        break\nreturn n",
        "try:\n    n = a[0]\nexcept IndexError:\n    return 0\nreturn n",
        "try:\n    n = a[0]\nexcept IndexError:\n    n = 0\nfinally:\n    a()\nreturn n",
        "match a:\n    case 1:\n        n = 1\n    case _:\n        n = 2\nreturn n",
        "if not a:\n    a = 1\nreturn a",
        "global n\nif a:\n    n = 1\nreturn n",
        "for x in a:\n    y = x\nreturn [y for y in a]",
        "with a as n:\n    pass\nreturn n",
        "while a:\n    pass\nelse:\n    n = 1\nreturn n",
        "if a:\n    n = 1\n    del n\nreturn 0",
        "if a:\n    async def n(): ...\nelse:\n    class n: ...\nreturn n",
        "for x in range(3):\n    n = x\nreturn n",
    ],
)
def test_a_name_that_has_a_value_wherever_it_is_read_is_left_alone(body: str) -> None:
    assert find_unbound_names(ast.unparse(function(body)).encode(), "a.py") == set()


MODULE = """
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from decimal import Decimal
"""


def test_a_name_that_only_a_type_checker_imports_is_undefined_where_it_runs() -> None:
    written = f"{MODULE}def f(a: Decimal, b: 'Decimal') -> 'Decimal':\n    c: 'Decimal' = a\n    return c"
    assert names.find_undefined_names(written.encode(), "a.py") == set()
    assert "Decimal" in str(names.find_undefined_names(f"{MODULE}def f(a):\n    return Decimal(a)".encode(), "a.py"))


def test_a_global_that_is_only_counted_up_is_undefined() -> None:
    counting = "def f():\n    global n\n    n += 1"
    assert "'n'" in str(names.find_undefined_names(counting.encode(), "a.py"))
    assert names.find_undefined_names(f"n = 0\n{counting}".encode(), "a.py") == set()


def attributes(body: str, inherited: frozenset[str] | None = frozenset({"publish"})) -> set[str]:
    cls = ast.parse(f"class A(GraphBusNode):\n{body}").body[0]
    assert isinstance(cls, ast.ClassDef)
    return names.find_missing_attributes(cls, inherited)


def test_an_attribute_that_nothing_gives_is_found() -> None:
    assert attributes("    def f(self):\n        return self.rate * 2") == {"rate"}


@pytest.mark.parametrize(
    "value",
    ["self.rate", "A.rate", "type(self).rate", "self.__class__.rate", "super().rate", "getattr(self, 'rate')"],
)
def test_an_attribute_is_read_in_many_ways(value: str) -> None:
    assert attributes(f"    def f(self):\n        setattr(self, 'other', 1)\n        return {value}") == {"rate"}


@pytest.mark.parametrize(
    "body",
    [
        "    def f(self):\n        return getattr(self, 'rate', None)",
        "    def f(self):\n        for n in 'ab':\n            setattr(self, n, 1)\n        return self.a",
        "    def f(self):\n        return super().publish('/x', {})",
        "    rate = 2\n    def f(self):\n        return self.rate",
        "    rate: int\n    def f(self):\n        return self.rate",
        "    def __init__(self):\n        self.rate = 1\n    def f(self):\n        return self.rate",
        "    def f(self):\n        self.publish('/x', {})",
        "    def f(self):\n        return self.g()\n    def g(self):\n        return 1",
        "    def f(self):\n        setattr(self, 'rate', 1)\n        return self.rate",
        "    def __getattr__(self, name):\n        return 1\n    def f(self):\n        return self.rate",
        "    @staticmethod\n    def f(x):\n        return x.rate",
        "    if True:\n        rate = 1\n    def f(self):\n        return self.rate",
        "    def f(self):\n        with a as self.rate:\n            return self.rate",
    ],
)
def test_an_attribute_that_something_gives_is_left_alone(body: str) -> None:
    assert attributes(body) == set()


def test_a_class_with_an_unknown_base_may_have_any_attribute() -> None:
    assert attributes("    def f(self):\n        return self.rate", None) == set()


BODY = {"op": "replace_body", "node": "Cleaner", "method": "clean"}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ('return {"items": cleaned}', "undefined name 'cleaned'"),
        ('return {"items": self.kept(headlines)}', "reads self.kept"),
        ('return {"items": headlines, "total": 3}', "does not declare"),
        ('return {"itmes": headlines}', "promises items"),
        ('if headlines:\n    return {"items": headlines}', "ends without returning"),
        ('if not headlines:\n    return\nreturn {"items": headlines}', "returns no object on one path"),
        ("items = headlines", "ends without returning"),
        ('for headline in headlines:\n    items = [headline]\nreturn {"items": items}', "has no value on every path"),
        ('out = {}\nout["item"] = headlines\nreturn out', "does not declare"),
        ("for headline in headlines:\n    yield headline", "yields"),
        ('return {"items": [h.strip() for g in headlines]}', "undefined name 'h'"),
        ('return {"items": re.sub("a", "b", headlines[0])}', "undefined name 're'"),
    ],
)
def test_no_slip_is_committed(root: Path, body: str, why: str) -> None:
    before = texts(root)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", {**BODY, "body": body}))
    assert receipt["status"] == "failed"
    assert why in receipt["reason"], receipt
    assert texts(root) == before


def test_a_slip_that_stood_before_is_not_held_against_a_change(root: Path) -> None:
    path = root / "agents" / "cleaner.py"
    path.write_text(path.read_text() + "\n\ndef helper():\n    return missing\n")
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", {**BODY, "body": 'return {"items": headlines}'}))
    assert receipt["status"] == "committed", receipt["reason"]


def test_a_try_says_where_it_falls_and_writes_nothing(root: Path) -> None:
    before = texts(root)
    with engine(root) as commits:
        fell = commits.try_diff([{**BODY, "body": 'return {"items": cleaned}'}])
        stood = commits.try_diff([{**BODY, "body": 'return {"items": sorted(headlines)}'}])
        breaking = commits.try_diff(
            [
                {
                    "op": "rename_field",
                    "node": "Cleaner",
                    "method": "clean",
                    "side": "output",
                    "field": "items",
                    "to": "x",
                }
            ]
        )
        unknown = commits.try_diff([{"op": "delete_method", "node": "Cleaner", "method": "nothing"}])
    assert "gate names" in fell["refused"]
    assert "-        return" in fell["refused"]
    assert "cleaned" in fell["refused"]
    assert stood["new_mismatches"] == []
    assert "refused" not in breaking  # a breaking change is there to be negotiated
    assert "refused" in unknown
    assert texts(root) == before
