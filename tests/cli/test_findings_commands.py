"""`validate --format`, `baseline`, `explain` and `config`, as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.cli.main import main

NODES = """from graphbus_core import GraphBusNode, depends_on, schema_method


class Till(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"sku": str})
    def ring(self):
        return {"sku": "a"}


class Book(GraphBusNode):
    @depends_on("Till.ring")
    @schema_method(input_schema={"sku": str, "price": float}, output_schema={})
    def post(self, sku: str, price: float):
        return {}
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose one link does not fit."""
    (tmp_path / "pyproject.toml").write_text('[tool.graphbus]\nroots = ["agents"]\n')
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "nodes.py").write_text(NODES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code and what stdout said."""
    code = main(list(arguments))
    return code, capsys.readouterr().out


@pytest.mark.usefixtures("shop")
def test_validate_finds_its_folder_in_the_settings_and_names_files_from_the_root(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A code host shows them beside the line."""
    code, out = run(capsys, "validate", "--format", "github")
    assert code == 1
    assert out.startswith("::error file=agents/nodes.py,line=13,title=GraphBus GB101::")


@pytest.mark.usefixtures("shop")
def test_json_carries_file_line_payload_and_both_ends(capsys: pytest.CaptureFixture[str]) -> None:
    """For a program, which opens the editor there."""
    code, out = run(capsys, "validate", "agents", "--json")
    (one,) = json.loads(out)["findings"]
    assert code == 1
    assert (one["code"], one["file"], one["line"]) == ("GB101", "agents/nodes.py", 13)
    assert one["payload"] == {"sku": ""}
    assert [(r["file"], r["line"]) for r in one["related"]] == [("agents/nodes.py", 6)]


def test_a_comment_with_a_reason_makes_it_pass_and_is_counted(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On the consumer's line."""
    at = shop / "agents" / "nodes.py"
    note = "    # graphbus: ignore[GB101] until 2999-01 prices come in May\n"
    for before in ("    def post(", '    @depends_on("Till'):  # decorators belong to their method
        at.write_text(NODES.replace(before, note + before))
        code, out = run(capsys, "validate", "agents")
        assert (code, "Nothing found (1 ignored)." in out) == (0, True)
    at.write_text(note.strip() + "\n" + NODES)
    assert run(capsys, "validate", "agents")[0] == 1


def test_a_baseline_keeps_today_and_counts_tomorrow(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And says when it is no longer needed."""
    assert run(capsys, "baseline")[0] == 0
    assert run(capsys, "validate")[0] == 0
    at = shop / "agents" / "nodes.py"
    at.write_text(
        NODES.replace('"sku": str, "price"', '"sku": int, "price"').replace("sku: str, price", "sku: int, price")
    )
    assert run(capsys, "validate")[0] == 0  # the same link; its words moved
    at.write_text(
        NODES + NODES.replace("Till", "Scan").replace("Book", "Log").partition("\n\n\n")[2].join(["\n\n\n", ""])
    )
    assert run(capsys, "validate")[0] == 1
    at.write_text(NODES.replace(', "price": float', "").replace(", price: float", ""))
    code, out = run(capsys, "validate")
    assert (code, "GB903" in out) == (0, True)


def test_a_baseline_that_is_asked_for_must_be_there(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped name must not pass for an empty one."""
    assert main(["validate", "agents", "--baseline", "nowhere.json"]) == 2


@pytest.mark.usefixtures("shop")
def test_explain_and_config_say_one_thing_in_words_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Both for people and programs."""
    assert "What to do" in run(capsys, "explain", "gb101")[1]
    assert len(json.loads(run(capsys, "explain", "--json")[1])) > 10
    assert main(["explain", "GB1"]) == 2
    capsys.readouterr()
    assert "roots" in run(capsys, "config")[1]
    told = json.loads(run(capsys, "config", "--json")[1])["settings"]
    assert told["roots"] == {"value": ["agents"], "from": "pyproject.toml:2"}


def test_an_unknown_setting_stops_every_command_that_would_heed_it(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the nearest name; nothing is validated by half."""
    (shop / "pyproject.toml").write_text('[tool.graphbus]\nrootz = ["agents"]\n')
    assert main(["validate", "agents"]) == 2
    assert "Did you mean `roots`?" in capsys.readouterr().err
