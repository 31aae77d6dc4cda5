"""`graphbus contracts` as a person or a CI job uses it: exit codes, texts, git."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from graphbus_core.cli.main import main

NODE = """
from graphbus_core import GraphBusNode, schema_method


class Stock(GraphBusNode):
    SYSTEM_PROMPT = "Stock."

    @schema_method(input_schema={"sku": str}, output_schema={"sku": str, "left": %s})
    def look(self, sku: str) -> dict:
        return self.found(sku)

    @schema_method(input_schema={"sku": str, "left": int}, output_schema={"ok": bool})
    def take(self, sku: str, left: int) -> dict:
        return {"ok": True}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def schema(path: Path, **data: object) -> str:
    """Write a schema file."""
    path.write_text(json.dumps(data))
    return str(path)


def test_check_of_files_shows_the_payload(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 0 fits, 1 does not, 3 unknown, 2 bad input."""
    a, b = schema(here / "a.json", type="integer"), schema(here / "b.json", type="integer", minimum=3)
    assert main(["contracts", "check", b, a]) == 0
    assert main(["contracts", "check", a, b]) == 1
    assert "may send   0" in capsys.readouterr().out
    c = schema(here / "c.json", type="string", minLength=10**9)
    d = schema(here / "d.json", maxLength=5)
    assert main(["contracts", "check", c, d]) == 3
    assert main(["contracts", "check", a, "nothing.json"]) == 2
    (here / "e.json").write_text("{")
    assert main(["contracts", "check", a, "e.json"]) == 2


def test_check_of_methods_reads_a_link(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Node.method names: the producer's output, the consumer's input."""
    (here / "agents").mkdir()
    (here / "agents" / "stock.py").write_text(NODE % "float")
    words = ["contracts", "check", "Stock.look", "Stock.take", "--project", "agents", "--json"]
    assert main(words) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["compatible"] is False
    assert told["reasons"][0]["path"] == "left"
    assert main(["contracts", "check", "Stock.lok", "Stock.take", "--project", "agents"]) == 2


def test_diff_names_the_changes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A new required field is not BACKWARD, but FORWARD."""
    fields = {"a": {"type": "integer"}}
    old = schema(here / "old.json", type="object", properties=fields, required=["a"], additionalProperties=False)
    more = {**fields, "b": {"type": "string"}}
    new = schema(here / "new.json", type="object", properties=more, required=["a", "b"])
    assert main(["contracts", "diff", old, new]) == 1
    assert "add b as NotRequired[str]" in capsys.readouterr().out
    assert main(["contracts", "diff", new, old]) == 1
    assert main(["contracts", "diff", old, old, "--mode", "FULL_TRANSITIVE"]) == 0
    assert main(["contracts", "diff", old, new, "--mode", "sideways"]) == 2
    assert main(["contracts", "diff", old]) == 2


def test_diff_against_git_stops_a_breaking_change(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A CI job compares the working tree with a revision."""
    folder = here / "agents"
    folder.mkdir()
    (folder / "stock.py").write_text(NODE % "int")
    contract = here / "c.json"
    schema(contract, type="integer")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", str(here)]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], check=True, timeout=30)
    assert main(["contracts", "diff", "agents", "--against", "HEAD"]) == 0
    (folder / "stock.py").write_text(NODE % "float")
    schema(contract, type="number")
    capsys.readouterr()
    assert main(["contracts", "diff", "agents", "--against", "HEAD"]) == 1
    assert "Stock.look: output.left became wider: int → float" in capsys.readouterr().out
    assert main(["contracts", "diff", "c.json", "--against", "HEAD"]) == 0
    assert main(["contracts", "diff", "c.json", "--against", "HEAD", "--mode", "FORWARD"]) == 1
    assert main(["contracts", "diff", "c.json", "--against", "nowhere"]) == 2
