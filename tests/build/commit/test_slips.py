"""Slips that can be told from the text are never committed, with or without `--verify`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphbus_core.build.commit.proof import slips
from tests.build.commit.projects import about, engine, texts, write


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
    ],
)
def test_a_path_that_gives_nothing_is_found(body: str) -> None:
    assert slips.falls_through(function(body))


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
        "raise NotImplementedError",
        "yield 1",
        "...",
        '"""Said elsewhere."""',
        "import sys\nsys.exit(1)",
        "assert False",
    ],
)
def test_a_path_that_gives_something_or_never_ends_is_none(body: str) -> None:
    assert not slips.falls_through(function(body))


def attributes(body: str, inherited: frozenset[str] | None = frozenset({"publish"})) -> set[str]:
    cls = ast.parse(f"class A(GraphBusNode):\n{body}").body[0]
    assert isinstance(cls, ast.ClassDef)
    return slips.missing_attributes(cls, inherited)


def test_an_attribute_that_nothing_gives_is_found() -> None:
    assert attributes("    def f(self):\n        return self.rate * 2") == {"rate"}


@pytest.mark.parametrize(
    "body",
    [
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
        ('if not headlines:\n    return\nreturn {"items": headlines}', "returns nothing on one path"),
        ("items = headlines", "ends without returning"),
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
