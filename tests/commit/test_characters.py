"""Added text reads as it runs: no bidirectional control, nothing invisible, no name of two scripts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commit.projects import CLEAN, CLEANER, FILES, about, engine, write

BODY = {"op": "replace_body", **CLEAN}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("x = 'a\u202eb'\nreturn {'items': []}", "U+202E RIGHT-TO-LEFT OVERRIDE"),
        ("x = 'a\u200bb'\nreturn {'items': []}", "U+200B ZERO WIDTH SPACE"),
        ("return {'items': []}  # \u2066 nothing", "U+2066"),
        ("x = 'a\u3164'\nreturn {'items': []}", "U+3164"),
        ("x = 'a\U000e0041'\nreturn {'items': []}", "U+E0041"),
        ("\u0430dmin = 1\nreturn {'items': []}", "U+0430 CYRILLIC SMALL LETTER A"),
        ("return {'items': [], '\u0456d': 1}", "mixes scripts"),  # the name of a field
    ],
    ids=["override", "zero width", "isolate", "filler", "tag", "a name", "a field"],
)
def test_what_reads_otherwise_is_refused_with_its_code_point(body: str, says: str, tmp_path: Path) -> None:
    """And with its line."""
    root = write(tmp_path / "p")
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", {**BODY, "body": body}))
    assert (receipt["status"], receipt["gate"]) == ("failed", "characters"), receipt["reason"]
    assert says in receipt["reason"]
    assert "agents/cleaner.py:" in receipt["reason"]


def test_what_stood_there_and_what_is_one_script_stays(tmp_path: Path) -> None:
    """Names and texts of other languages are nobody's business; nor is what the author wrote before."""
    old = CLEANER.replace('"I clean."', '"I \u200b clean."')
    root = write(tmp_path / "p", {**FILES, "agents/cleaner.py": old})
    body = "größe, число, 名前ひらがな = 1, 2, 'привет, мир'\nreturn {'items': [h for h in headlines if h]}"
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", {**BODY, "body": body}))
    assert receipt["status"] == "committed", receipt["reason"]
