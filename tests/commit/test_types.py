"""The types gate: what a commit would break anywhere in the project, by the checker's own finding and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphbus_core.commit.gates.order import GATES
from tests.commit.projects import CLEAN, about, engine, texts, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "project")


def body(result: str) -> dict[str, Any]:
    """Another body of `Cleaner.clean`."""
    return {"op": "replace_body", **CLEAN, "body": f"return {result}"}


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ("{'items': nowhere(headlines)}", "`nowhere`"),
        ("{}", "Missing required key"),
        ("{'items': headlines, 'cont': 1}", 'Unknown key "cont"'),
        ("{'items': 'no list'}", "list[str]"),
        ("{'items': 'no list'}  # type: ignore", "silences the type checker"),
    ],
)
def test_a_finding_that_was_not_there_refuses_with_its_line(
    root: Path, result: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`-> dict` hides nothing; a comment that silences is refused as such; the files are as before.

    The gate `names` sees most of this first, in the changed method alone; here it is left out.
    """
    others = tuple(gate for gate in GATES if gate.name != "names")
    monkeypatch.setattr("graphbus_core.commit.engine.GATES", others)
    before = texts(root)
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", body(result)))
    assert (receipt["status"], receipt["gate"]) == ("failed", "types"), receipt
    assert says in receipt["reason"]
    assert texts(root) == before


def test_without_a_checker_the_receipt_says_not_run(root: Path, without_types: None) -> None:
    """Never passed unseen."""
    with engine(root) as commits:
        receipt = commits.apply("commit", about("p-1", body("{'items': headlines}")))
    assert receipt["status"] == "committed", receipt
    (end,) = [e for e in receipt["ends"] if e["gate"] == "types"]
    assert (end["end"], "graphbus-core[types]" in end["why"]) == ("not run", True)
