"""What `build` and `validate` tell a person."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from graphbus_core.cli.examples import example
from graphbus_core.cli.main import main


def test_a_dry_run_shows_every_diff_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything but the last step: the diffs are shown, the sources are as before."""
    shutil.copytree(example("news_pipeline") / "agents", tmp_path / "agents")
    before = {p.name: p.read_bytes() for p in (tmp_path / "agents").glob("*.py")}
    monkeypatch.chdir(tmp_path)
    answers = str(example("news_pipeline") / "answers.yaml")
    assert main(["build", "agents", "--enable-agents", "--model", "rules", "--answers", answers, "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "Dry run: nothing was changed." in said
    assert "+            'headlines': list[Headline],   # what the fetcher found" in said
    assert "Modified:" not in said
    assert {p.name: p.read_bytes() for p in (tmp_path / "agents").glob("*.py")} == before


def test_validate_says_where_code_and_contract_disagree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A key that is really returned and not declared is lint with a fix, and no finding by itself."""
    (tmp_path / "agent.py").write_text(
        "from graphbus_core import GraphBusNode, schema_method\n\n\nclass A(GraphBusNode):\n"
        '    @schema_method(input_schema={"sku": str}, output_schema={"ok": bool})\n'
        '    def check(self, sku):\n        return {"ok": True, "why": "so"}\n'
    )
    assert main(["validate", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert ":4: ! GB202 A.check: returns why" in said
    assert "fix: add_field A.check.output.why" in said
