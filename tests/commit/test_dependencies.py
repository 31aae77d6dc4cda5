"""New dependencies are off unless they are allowed (seed 002 §2.10), however the import is written."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphbus_core.editing.import_statements import collect_imports, explain_new_dependencies
from tests.commit.projects import CLEAN, about, engine, texts, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "project")


def body(code: str) -> dict[str, str]:
    return {"op": "replace_body", **CLEAN, "body": f"{code}\nreturn {{'items': [h for h in headlines if h]}}"}


SMUGGLED = [
    "import networkx",
    "if headlines:\n    from networkx.algorithms import dag",
    "import json, networkx as json2",
    "__import__('networkx')",
    "import builtins\nbuiltins.__import__('networkx.drawing')",
    "import importlib\nimportlib.import_module('networkx')",
    "from importlib import import_module as get\nget('networkx')",
    "import importlib as i\ni.import_module(name='networkx')",
    "exec('import networkx')",
    "eval('__import__(\"networkx\")')",
    "exec('exec(\"import networkx\")')",
]


@pytest.mark.parametrize("code", SMUGGLED)
def test_a_new_dependency_is_refused_with_its_name_and_line(root: Path, code: str) -> None:
    """Wherever it stands in the new code; the files are as before."""
    before = texts(root)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", body(code)))
    assert (receipt["status"], receipt["gate"]) == ("failed", "limits")
    assert "networkx (agents/cleaner.py:" in receipt["reason"]
    assert "allow_external_dependencies" in receipt["reason"]
    assert texts(root) == before


@pytest.mark.parametrize(
    "code",
    [
        "__import__('net' + 'workx')",
        "import importlib\nimportlib.import_module(f'{headlines}')",
        "load = __import__",
        "exec(headlines[0])",
    ],
)
def test_an_import_that_is_only_known_when_it_runs_is_refused_as_such(root: Path, code: str) -> None:
    """It says so, and what to write instead."""
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", body(code)))
    assert receipt["gate"] == "limits"
    assert "only known when it runs" in receipt["reason"]
    assert "agents/cleaner.py:" in receipt["reason"]


@pytest.mark.parametrize(
    "code",
    [
        "import json, os.path",
        "from . import fetcher",
        "from agents.fetcher import Fetcher",
        "import agents.fetcher",
        "__import__('json')",
        "import importlib\nimportlib.import_module('.fetcher', 'agents')",
        "import re\nre.compile(headlines[0])",
        "eval('1 + 1')",
    ],
)
def test_the_standard_library_and_the_project_may_be_imported(root: Path, code: str) -> None:
    """No more than that is a dependency of what was built."""
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", body(code)))
    assert receipt["status"] == "committed", receipt["reason"]


@pytest.mark.usefixtures("without_types")
def test_what_the_project_imports_already_is_no_new_dependency(root: Path) -> None:
    """In another file of it; and where it is allowed, anything goes."""
    with engine(root) as commits:
        receipt = commits.apply(
            "commit", about("p-1", body("import networkx"), limits={"allow_external_dependencies": True})
        )
        assert receipt["status"] == "committed", receipt["reason"]
        other = {"op": "replace_body", "node": "Fetcher", "method": "fetch"}
        receipt = commits.apply(
            "commit", about("p-2", {**other, "body": "import networkx\nreturn {'headlines': [], 'source': ''}"})
        )
        assert receipt["status"] == "committed", receipt["reason"]


def test_what_stood_there_before_is_not_held_against_a_change() -> None:
    """Only what is new: a file may keep its own dynamic imports."""
    old, new = b"import requests\n__import__(x)\n", b"import requests\n__import__(x)\ny = 1\n"
    assert explain_new_dependencies({"a.py": old}, {"a.py": new}, lambda name: False) is None
    twice = explain_new_dependencies({"a.py": old}, {"a.py": old + b"__import__(x)\n"}, lambda name: False)
    assert twice is not None
    assert "`__import__(x)`" in twice


def test_methods_of_those_names_are_no_imports() -> None:
    """`model.eval(x)` is torch's."""
    assert not collect_imports(ast.parse("model.eval(x); frame.exec(y); self.imports(z)")).unread
