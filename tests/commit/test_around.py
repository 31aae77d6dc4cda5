"""Operations beside contracts and bodies: committed through every gate, undone byte for byte, refused with a reason."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.commit.gates.pytest_suite import LEFT_OUT, SKIPPED, find_weakened_tests
from tests.commit.projects import CLEAN, CLEANER, FILES, about, engine, texts, write

TEST = '''"""Tests of the cleaner."""
from agents.cleaner import Cleaner


def test_clean():
    assert Cleaner().clean(["a", ""]) == {"items": ["a"]}
'''
WITH_TEST = {**FILES, "tests/test_cleaner.py": TEST}
SHOUTER = '''"""Shouts."""
from graphbus_core import GraphBusNode, depends_on, schema_method


class Shouter(GraphBusNode):
    SYSTEM_PROMPT = "I shout."

    @depends_on("Cleaner.clean")
    @schema_method(input_schema={"items": list[str]}, output_schema={"loud": str})
    def shout(self, items):
        return {"loud": " ".join(items).upper()}
'''

NODE = {"node": "Cleaner"}
CASES: dict[str, tuple[list[dict[str, Any]], str]] = {
    "edit": (
        [{"op": "edit", **CLEAN, "old": "if h]", "new": "if h.strip()]"}],
        'return {"items": [h for h in headlines if h.strip()]}',
    ),
    "define a constant": (
        [
            {"op": "define", **NODE, "name": "LIMIT", "source": "LIMIT = 3"},
            {"op": "edit", **CLEAN, "old": "if h]", "new": "if h][:LIMIT]"},
        ],
        "LIMIT = 3\n\n\nclass Cleaner",
    ),
    "define a function": (
        [
            {"op": "define", **NODE, "name": "_kept", "source": "def _kept(h):\n    return bool(h)"},
            {"op": "edit", **CLEAN, "old": "if h]", "new": "if _kept(h)]"},
        ],
        "def _kept(h):\n    return bool(h)\n\n\nclass Cleaner",
    ),
    "set_attribute": (
        [{"op": "set_attribute", **NODE, "name": "limit", "value": "3", "type": "int"}],
        'SYSTEM_PROMPT = "I clean."\n    limit: int = 3\n\n',
    ),
    "set_docstring of a method": (
        [{"op": "set_docstring", **CLEAN, "text": "Drop empty ones.\n\nOrder stays."}],
        '        """Drop empty ones.\n\n        Order stays.\n        """\n        return',
    ),
    "set_docstring of the class": (
        [{"op": "set_docstring", **NODE, "text": 'Cleans "well".'}],
        '    """Cleans "well"."""\n\n    SYSTEM_PROMPT',
    ),
    "decorate": (
        [{"op": "decorate", **CLEAN, "decorator": "@publishes('/News/Clean', {'items': list[str]})"}],
        '    @publishes("/News/Clean", {"items": list[str]})\n    @depends_on',
    ),
    "undecorate": ([{"op": "undecorate", **CLEAN, "decorator": 'depends_on("Fetcher.fetch")'}], "    @schema_method("),
    "add_file": (
        [{"op": "add_file", **NODE, "path": "agents/words.py", "source": "STOP = ('a', 'the')"}],
        "STOP = ('a', 'the')\n",
    ),
    "write_test, a new file": (
        [{"op": "write_test", **NODE, "path": "tests/test_new.py", "source": TEST}],
        "def test_clean():",
    ),
    "write_test, one more": (
        [
            {
                "op": "write_test",
                **NODE,
                "path": "tests/test_cleaner.py",
                "source": "import math\n\ndef test_two():\n    assert math.e\n\ndef test_empty():\n    assert math.pi",
            }
        ],
        "def test_empty():",
    ),
    "add_agent": ([{"op": "add_agent", "node": "Shouter", "path": "agents/shouter.py", "source": SHOUTER}], "I shout."),
    "remove_agent": ([{"op": "remove_agent", "node": "Formatter"}], '"""Formats."""'),
}


@pytest.mark.parametrize("case", CASES)
def test_it_is_committed_and_taken_back_byte_for_byte(tmp_path: Path, case: str) -> None:
    diff, expected = CASES[case]
    root = write(tmp_path, WITH_TEST)
    before = texts(root)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", *diff))
        assert receipt["status"] == "committed", receipt["reason"]
        assert any(expected in text for text in texts(root).values())
        assert texts(root) != before
        undone = commits.undo("p-1")
        assert undone["status"] == "committed", undone["reason"]
    assert texts(root) == before


REFUSED: dict[str, tuple[list[dict[str, Any]], str]] = {
    "text that stands twice": ([{"op": "edit", **CLEAN, "old": "h", "new": "x"}], "stands 4 times"),
    "text that is not there": ([{"op": "edit", **CLEAN, "old": "if hh", "new": "x"}], "does not stand in"),
    "a name that nothing gives": ([{"op": "edit", **CLEAN, "old": "if h]", "new": "if heat]"}], "heat"),
    "a contract changed by a text": (
        [{"op": "edit", **CLEAN, "old": '"items"', "new": '"things"'}],
        "promises items",
    ),
    "a call as an attribute": (
        [{"op": "set_attribute", **NODE, "name": "x", "value": "__import__('os').system('true')"}],
        "never a call",
    ),
    "the seat": ([{"op": "set_attribute", **NODE, "name": "IS_ARBITER", "value": "True"}], "its own seats"),
    "the role": ([{"op": "set_attribute", **NODE, "name": "SYSTEM_PROMPT", "value": "'obey'"}], "its own seats"),
    "another decorator": ([{"op": "decorate", **CLEAN, "decorator": "@property()"}], "only @publishes"),
    "a decorator that runs": (
        [{"op": "decorate", **CLEAN, "decorator": "@subscribe(open('x').read())"}],
        "does more than name",
    ),
    "a definition of a node": (
        [{"op": "define", **NODE, "name": "Cleaner", "source": "class Cleaner:\n    pass"}],
        "is a node",
    ),
    "two definitions": ([{"op": "define", **NODE, "name": "A", "source": "A = 1\nB = 2"}], "exactly one"),
    "a definition in use": (
        [
            {"op": "define", **NODE, "name": "A", "source": "A = 1"},
            {"op": "edit", **CLEAN, "old": "if h]", "new": "if h and A]"},
            {"op": "remove_definition", **NODE, "name": "A"},
        ],
        "still used",
    ),
    "a file elsewhere": ([{"op": "add_file", **NODE, "path": "other/x.py", "source": "x = 1"}], "neither beside"),
    "a way out": ([{"op": "add_file", **NODE, "path": "agents/../../x.py", "source": "x = 1"}], "leaves"),
    "settings": ([{"op": "add_file", **NODE, "path": "tests/conftest.py", "source": "x = 1"}], "decides how"),
    "a hidden folder": ([{"op": "add_file", **NODE, "path": "tests/.x/y.py", "source": "x = 1"}], "hidden"),
    "a file that is there": (
        [{"op": "add_file", **NODE, "path": "agents/fetcher.py", "source": "x = 1"}],
        "there already",
    ),
    "a node by a file": (
        [{"op": "add_file", **NODE, "path": "agents/shouter.py", "source": SHOUTER}],
        "nodes appear",
    ),
    "a node that is none": (
        [{"op": "add_agent", "node": "Plain", "path": "agents/plain.py", "source": "class Plain:\n    pass"}],
        "not a node",
    ),
    "a node in use": ([{"op": "remove_agent", "node": "Fetcher"}], "still used"),
    "a new dependency": (
        [{"op": "add_file", **NODE, "path": "agents/x.py", "source": "import requests"}],
        "requests",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_it_is_refused_with_a_reason_and_nothing_changes(tmp_path: Path, case: str) -> None:
    diff, why = REFUSED[case]
    root = write(tmp_path, WITH_TEST)
    before = texts(root)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", *diff))
    assert receipt["status"] == "failed"
    assert why in receipt["reason"]
    assert texts(root) == before


def test_a_link_that_nobody_declares_any_more_is_a_mismatch_no_longer_but_said(tmp_path: Path) -> None:
    """`undecorate` of a topic that others hear is refused by the gate on mismatches or told in the receipt's links."""
    root = write(tmp_path)
    with engine(root) as commits:
        receipt = commits.apply(
            "commit",
            about("p-1", {"op": "undecorate", **CLEAN, "decorator": "@depends_on('Fetcher.fetch')"}),
        )
    ends = {(link["producer"]["node"], link["consumer"]["node"]) for link in receipt["links"] if "topic" not in link}
    assert receipt["status"] == "committed"
    assert ("Fetcher", "Cleaner") not in {e for e in ends if e[0] != e[1]} or len(receipt["links"]) >= 1


CHECKED = TEST[TEST.index("def test") :].rstrip()
WEAKER: dict[str, tuple[str, str]] = {
    "fewer checks": ("def test_clean():\n    Cleaner().clean(['a'])", "1 check fewer"),
    "a looser comparison": ("def test_clean():\n    assert Cleaner().clean(['a', ''])['items']", "a looser comparison"),
    "a skip": (
        f"import pytest\n\n\n@pytest.mark.skip\n{TEST[TEST.index('def test') :]}",
        "it may be skipped",
    ),
    "a way out": (
        "def test_clean():\n    assert Cleaner().clean(['a', '']) == {'items': ['a']} or True",
        "a check with a way out",
    ),
    "an early end": (
        "def test_clean():\n    return\n    assert Cleaner().clean(['a', '']) == {'items': ['a']}",
        "a check with a way out",
    ),
    "a check under a condition": (
        "def test_clean():\n    if False:\n        assert Cleaner().clean(['a', '']) == {'items': ['a']}",
        "a check with a way out",
    ),
    "a check of itself": ("def test_clean():\n    assert 'a' == 'a'", "a check with a way out"),
    "no cases": (
        f"import pytest\n\n\n@pytest.mark.parametrize('n', [])\n{CHECKED}".replace("clean():", "clean(n):"),
        "1 check fewer",
    ),
    "a decorator that may do anything": (
        f"import pytest\n\n\n@pytest.mark.usefixtures('tmp_path')\n{CHECKED}",
        "it may be skipped",
    ),
}
# Around the tests of a file, each of which stands as it was.
AROUND = {
    "a mark on the module": "import pytest\n\npytestmark = pytest.mark.skip",
    "a mark on the module, with an annotation": "import pytest\n\npytestmark: object = pytest.mark.skip",
    "a skip under a condition": "import pytest\n\nif True:\n    pytest.skip('no', allow_module_level=True)",
    "a skip in a try": "import pytest\n\ntry:\n    pytest.importorskip('nothing')\nfinally:\n    pass",
    "a fixture": "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef quiet():\n    pytest.skip('no')",
    "a set-up": "import pytest\n\n\ndef setup_module():\n    pytest.skip('no')",
    "a set-up that raises": "import unittest\n\n\ndef setup_function():\n    raise unittest.SkipTest",
    "a hook": "def pytest_collection_modifyitems(items):\n    items.clear()",
    "not a test": "__test__ = False",
    "files left out": "collect_ignore = ['test_cleaner.py']",
    "a name that goes": "del test_clean",
    "another thing by that name": "test_clean = None",
    "the end of the run": "import sys\n\nsys.exit(0)",
}


@pytest.mark.parametrize("case", AROUND)
@pytest.mark.parametrize("first", [True, False])
def test_what_stands_around_the_tests_may_leave_them_all_out(case: str, first: bool) -> None:
    """Before them or behind them; and what was there before is not a loss."""
    own = f"from agents.cleaner import Cleaner\n\n\n{CHECKED}\n"
    parts = [AROUND[case], own] if first else [own, AROUND[case]]
    old, new = own.encode(), "\n\n".join(parts).encode()
    (said,) = find_weakened_tests({"tests/test_x.py": old}, {"tests/test_x.py": new})
    assert said in (f"tests/test_x.py: {SKIPPED}", f"tests/test_x.py: {LEFT_OUT}")
    assert find_weakened_tests({"tests/test_x.py": new}, {"tests/test_x.py": new}) == []
    assert find_weakened_tests({"tests/test_x.py": new}, {"tests/test_x.py": old}) == []


def test_a_test_in_a_class_is_left_out_by_its_class() -> None:
    """A mark on the class, and `__test__` in its body."""
    own = "class TestIt:\n    def test_it(self):\n        assert f() == 1\n"
    marked, silent = f"@pytest.mark.skip\n{own}", own.replace("    def", "    __test__ = False\n    def")
    for new, why in ((marked, SKIPPED), (silent, LEFT_OUT)):
        assert find_weakened_tests({"test_x.py": own.encode()}, {"test_x.py": new.encode()}) == [f"test_x.py: {why}"]


def test_more_checks_and_more_cases_are_no_loss() -> None:
    """What an author adds asks nobody."""
    old = "import pytest\n\n\n@pytest.mark.parametrize('n', [1])\ndef test_it(n):\n    assert f(n) == 1\n"
    new = old.replace("[1]", "[1, 2]") + "    assert g(n) == 2\n\n\nROWS = [1]\n\n\ndef make():\n    return f(1)\n"
    assert find_weakened_tests({"test_x.py": old.encode()}, {"test_x.py": new.encode()}) == []
    assert find_weakened_tests({"test_x.py": new.encode()}, {"test_x.py": old.encode()}) == [
        "test_x.py::test_it: 2 checks fewer"
    ]


@pytest.mark.parametrize("case", WEAKER)
def test_only_a_person_agrees_that_a_test_says_less(tmp_path: Path, case: str) -> None:
    source, why = WEAKER[case]
    root = write(tmp_path, WITH_TEST)
    op = {"op": "write_test", **NODE, "path": "tests/test_cleaner.py", "source": source}
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", op))
        assert receipt["status"] == "failed"
        assert receipt["gate"] == "limits"
        assert f"tests/test_cleaner.py::test_clean: {why}" in receipt["reason"]
        assert texts(root) == WITH_TEST
        asked = commits.apply("prepare", about("p-1", op, limits={"a_person_approves": True}))
        assert asked["status"] == "prepared"
        assert why in asked["weakened"][0]


def test_a_test_that_follows_a_rename_says_no_less(tmp_path: Path) -> None:
    root = write(tmp_path, WITH_TEST)
    rename = {"op": "rename_field", "side": "output", **CLEAN, "field": "items", "to": "lines"}
    follow = {"op": "rename_field", "side": "input", "node": "Formatter", "method": "render", "field": "items"}
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", rename, {**follow, "to": "lines"}))
    assert receipt["status"] == "committed", receipt["reason"]
    assert '{"lines": ["a"]}' in (root / "tests/test_cleaner.py").read_text()


def test_git_takes_new_files_into_its_commit_and_out_again(tmp_path: Path) -> None:
    root = write(tmp_path)
    for args in (["init", "-q"], ["config", "user.email", "a@b.c"], ["config", "user.name", "A"]):
        subprocess.run(["git", *args], cwd=root, check=True)
    (root / ".gitignore").write_text(".graphbus/\n")
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    subprocess.run(["git", "commit", "-qm", "start"], cwd=root, check=True)
    op = {"op": "write_test", **NODE, "path": "tests/test_new.py", "source": TEST}
    with engine(root, git_commit=True) as commits:
        receipt = commits.apply("commit", about("p-1", op))
        assert receipt["status"] == "committed", receipt["reason"]
        assert "tests/test_new.py" in _git(root, "ls-files")
        undone = commits.undo("p-1")
        assert undone["status"] == "committed", undone["reason"]
    assert "tests/test_new.py" not in _git(root, "ls-files")
    assert not _git(root, "status", "--porcelain")


def _git(root: Path, *args: str) -> str:
    return subprocess.run(["git", *args], cwd=root, check=True, capture_output=True, text=True).stdout


def test_a_new_file_that_was_edited_is_not_taken_back(tmp_path: Path) -> None:
    root = write(tmp_path)
    op = {"op": "add_file", **NODE, "path": "agents/words.py", "source": "STOP = 1"}
    with engine(root) as commits:
        assert commits.apply("commit", about("p-1", op))["status"] == "committed"
        (root / "agents/words.py").write_text("STOP = 2\n")
        undone = commits.undo("p-1")
    assert undone["status"] == "failed"
    assert "made by this commit and changed since" in undone["reason"]
    assert (root / "agents/words.py").read_text() == "STOP = 2\n"


def test_a_file_made_meanwhile_is_left_alone(tmp_path: Path) -> None:
    root = write(tmp_path)
    op = {"op": "add_file", **NODE, "path": "agents/words.py", "source": "STOP = 1"}
    (root / "agents/words.py").write_text("MINE = 1\n")
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", op))
    assert receipt["status"] == "failed"
    assert (root / "agents/words.py").read_text() == "MINE = 1\n"
    assert texts(root)["agents/cleaner.py"] == CLEANER
