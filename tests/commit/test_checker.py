"""Whose method is called, asked of the type checker where our own reading cannot tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.editing.worktree import TypeCheckerClient
from tests.commit.projects import FETCH, FILES, about, engine, texts, write

# A queue gives back what was put into it: only typeshed's generics say what that is.
USER = """from queue import Queue

from fetcher import Fetcher


class Mop:
    def fetch(self, url):
        return {{"headlines": [url], "source": url}}


def ours(waiting: Queue[Fetcher]):
    return waiting.get().fetch(url{s}="u")


def anothers(waiting: Queue[Mop]):
    return waiting.get().fetch(url="u")
"""
RENAME = {"op": "rename_field", **FETCH, "side": "input", "field": "url", "to": "url_s"}
UNKNOWN = "\n\ndef unknown(waiting):\n    return waiting.get().fetch(url='u')\n"


def project(tmp_path: Path, user: str) -> Path:
    return write(tmp_path / "project", {**FILES, "agents/user.py": user})


def test_what_the_checker_knows_is_followed_or_left(tmp_path: Path) -> None:
    """The method's own call is edited, another class's method of that name is not."""
    root = project(tmp_path, USER.format(s=""))
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", RENAME))
    assert receipt["status"] == "committed", receipt
    assert texts(root)["agents/user.py"] == USER.format(s="_s")


def test_what_nobody_knows_is_refused_with_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One unknown call refuses all, and every checker that was started is ended."""
    ended: list[bool] = []
    leave = TypeCheckerClient.__exit__
    monkeypatch.setattr(
        TypeCheckerClient, "__exit__", lambda self, *e: (leave(self, *e), ended.append("_engine" in vars(self)))
    )
    root = project(tmp_path, USER.format(s="") + UNKNOWN)
    before = texts(root)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", RENAME))
    assert (receipt["status"], ended) == ("failed", [True]), receipt
    assert "user.py:20" in str(receipt)
    assert texts(root) == before


@pytest.mark.parametrize(
    "either",
    [
        "def either(waiting: Queue[Fetcher | Mop]):\n    return waiting.get().fetch(url='u')\n",
        "def either(waiting: Queue[object]):\n    return waiting.get().fetch(url='u')\n",
        "class P(Protocol):\n  def fetch(self, url): ...\ndef f(w: Queue[P]):\n    return w.get().fetch(url='u')\n",
        "def either(waiting: Queue[Type[Fetcher]]):\n    return getattr(waiting.get(), 'fetch')(url='u')\n",
    ],
    ids=["a union", "any object", "a protocol", "by name"],
)
def test_what_may_be_either_is_unknown(tmp_path: Path, either: str) -> None:
    """The checker's answer counts where it is one."""
    head = "from queue import Queue\nfrom typing import Protocol, Type\n\nfrom fetcher import Fetcher\n\n\n"
    mop = "class Mop:\n    def fetch(self, url):\n        return url\n\n\n"
    root = project(tmp_path, head + mop + either)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", RENAME))
    assert (receipt["status"], receipt["gate"]) == ("failed", "applies"), receipt


def test_without_a_checker_both_are_unknown(tmp_path: Path, without_types: None) -> None:
    """Refused as ever."""
    root = project(tmp_path, USER.format(s=""))
    with engine(root) as commits:
        assert commits.apply("commit", about("p-1", RENAME))["status"] == "failed"


def test_the_checker_reads_the_texts_as_they_stand(tmp_path: Path) -> None:
    """An operation before it changed the call already: the question is asked of the new text."""
    root = project(tmp_path, USER.format(s=""))
    with engine(root) as commits:
        receipt = commits.apply(
            "commit", about("p-1", RENAME, {**RENAME, "field": "url_s", "to": "a_much_longer_name"})
        )
    assert receipt["status"] == "committed", receipt
    again = texts(root)["agents/user.py"]
    assert (again.count("fetch(a_much_longer_name="), again.count("fetch(url=")) == (1, 1)


def test_a_file_beside_the_folder_is_not_taken_for_one_in_it(tmp_path: Path) -> None:
    """`fetcher.py` at the project's root is not the folder's own `fetcher.py`."""
    user = "from outer import Fetcher\n\n\ndef f(x: Fetcher):\n    return x.fetch(url='u')\n"
    write(
        tmp_path,
        {"pyproject.toml": "[project]\nname = 'shop'\nversion = '1'\n", "outer.py": FILES["agents/fetcher.py"]},
    )
    write(tmp_path / "sub", {"user.py": user})
    with TypeCheckerClient(tmp_path, "sub/") as checker:
        (found,) = checker.find_definition({}, "user.py", 5, user.splitlines()[4].index("fetch"))
    assert (found.path, found.line) == ("", 10)


@pytest.mark.parametrize(
    "call",
    [
        "def f(x: Handler):\n    return x.handle(url='u')\n",
        "def f(waiting: Queue[Handler]):\n    return waiting.get().handle(url='u')\n",
    ],
    ids=["annotated", "told by the checker"],
)
def test_an_object_of_the_librarys_base_may_be_the_class(tmp_path: Path, call: str) -> None:
    """The class comes from a library's: left alone, a call on its base would break."""
    head = "from logging import Handler\nfrom queue import Queue\n\n\n"
    root = project(tmp_path, head + call)
    fetcher = (
        FILES["agents/fetcher.py"].replace("(GraphBusNode)", "(GraphBusNode, Handler)").replace("fetch(", "handle(")
    )
    write(root, {"agents/fetcher.py": "from logging import Handler\n" + fetcher})
    before = texts(root)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", {**RENAME, "method": "handle"}))
    assert (receipt["status"], receipt["gate"]) == ("failed", "applies"), receipt
    assert "user.py:6" in str(receipt)
    assert texts(root) == before
