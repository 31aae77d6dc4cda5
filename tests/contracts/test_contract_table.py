"""The table of `docs/contracts.md` beside other tools: our column is what our command says, today."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main

HERE = Path(__file__).parent
CHANGES: list[dict[str, Any]] = json.loads((HERE / "ten_changes.json").read_text())


def column() -> dict[str, str]:
    """Change -> what the docs say of GraphBus."""
    text = (HERE.parents[1] / "docs/contracts.md").read_text()
    rows = re.findall(r"^\| (.+?) \| (.+?) \|", text.partition("## Beside other tools")[2], re.MULTILINE)
    return dict(rows)


def said(file: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any], reading: str) -> list[str]:
    """`breaks the input: {…}` for each line of the command that breaks, or that it keeps its meaning."""
    for which in ("old", "new"):
        (file / f"{which}.json").write_text(json.dumps(change[which]))
    words = [str(file / "old.json"), str(file / "new.json"), "--reading", reading, "--json"]
    code = main(["contracts", "changes", *words])
    rows = json.loads(capsys.readouterr().out)["changes"]
    broken = [f"breaks the {side}: `{json.dumps(one['payloads'][side])}`" for one in rows for side in one["breaks"]]
    assert code == (1 if broken else 0)
    return broken or ["keeps its meaning" if any("keeps its meaning" in one["message"] for one in rows) else "nothing"]


@pytest.mark.parametrize("change", CHANGES, ids=[one["change"] for one in CHANGES])
def test_our_column_is_what_the_command_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, Any]
) -> None:
    """Run, not remembered."""
    cell = column()[change["change"]]
    assert cell.partition(";")[0] == " and ".join(said(tmp_path, capsys, change, "strict"))
    if "under `link`" in cell:
        assert cell.endswith(f"{said(tmp_path, capsys, change, 'link')[0]} under `link`")
