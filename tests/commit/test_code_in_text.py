"""Code that stands in text names a method and its field: a change that would have to follow it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commit.projects import CLEAN, FILES, about, engine, write

RENAME = {"op": "rename_field", **CLEAN, "side": "input", "field": "headlines", "to": "titles"}


def renamed_beside(text: str, tmp_path: Path) -> dict[str, object]:
    """The receipt of a rename in a project where a file holds this text."""
    root = write(tmp_path / "p", {**FILES, "agents/more.py": "from agents.cleaner import Cleaner\n" + text})
    with engine(root) as commits:
        return commits.apply("prepare", about("p-1", RENAME))


@pytest.mark.parametrize(
    "text",
    [
        "exec('print(Cleaner().clean(headlines=[]))')\n",
        'eval(f"Cleaner().clean(headlines={[]})")\n',
        'CODE = "from agents.cleaner import Cleaner\\nCleaner().clean(headlines=[])"\n',
        'def f():\n    """\n    >>> Cleaner().clean(**{"headlines": []})\n    """\n',
        "exec(\"bus.call('Cleaner', 'clean', {'headlines': []})\")\n",
    ],
)
def test_it_is_named_and_refused(text: str, tmp_path: Path) -> None:
    """In a text for exec, an f-string, a program for another process, an example of doctest."""
    receipt = renamed_beside(text, tmp_path)
    assert receipt["status"] != "prepared"
    assert "code in text speaks of Cleaner.clean and 'headlines'" in str(receipt["reason"])
    assert "agents/more.py:" in str(receipt["reason"])


@pytest.mark.parametrize(
    "text",
    [
        'print("clean the headlines (all of them)")\n',
        'def f():\n    """Ask Cleaner.clean(headlines) for it."""\n',
        'exec("Cleaner().clean([])")\n',
    ],
)
def test_prose_is_no_code(text: str, tmp_path: Path) -> None:
    """Nor does a call that does not name the field stand in the way."""
    receipt = renamed_beside(text, tmp_path)
    # The change was carried out in the copy; what it ran into there is the producer, which was not renamed along.
    assert "it breaks Fetcher.fetch => Cleaner.clean" in str(receipt["reason"])
