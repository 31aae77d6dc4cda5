"""A file that cannot be read is told first and once; all else is read, by every command alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.cli.main import main

GOOD = "from app.bad import x\n\n\ndef make():\n    return {'a': 1}\n\n\ndef use():\n    return make()['b']\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "app").mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "app/bad.py").write_text("x = 1\ndef x(:\n")
    (tmp_path / "app/good.py").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("project")
def test_it_is_named_first_with_what_it_costs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", "."]) == 1
    printed = capsys.readouterr().out
    assert printed.count("bad.py cannot be read") == 1
    assert "nor what app/good.py takes from it: invalid syntax" in printed
    assert main(["infer", ".", "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [(f["code"], f["file"], f["line"]) for f in findings] == [
        ("GB110", "app/bad.py", 2),
        ("GB501", "app/good.py", 9),
    ]


@pytest.mark.usefixtures("project")
def test_who_leaves_it_out_hears_nothing_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["infer", ".", "--exclude", "app/bad.py"]) == 1
    assert "bad.py" not in capsys.readouterr().out
    assert main(["baseline", ".", "--exclude", "app/bad.py"]) == 0
    assert "1 finding kept" in capsys.readouterr().out


def test_agents_beside_it_are_checked_and_a_baseline_keeps_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "app/node.py").write_text(
        "from graphbus_core import GraphBusNode, schema_method\n\n\nclass A(GraphBusNode):\n"
        "    @schema_method(output_schema={'a': int})\n    def f(self):\n        return {'a': 1}\n"
    )
    (project / "app/heir.py").write_text("from app.bad import Base\n\n\nclass B(Base):\n    pass\n")
    assert main(["validate", "app"]) == 1
    printed = capsys.readouterr().out
    assert "app/bad.py cannot be read" in printed
    assert "1 agent." in printed
    assert main(["baseline", "app"]) == 0
    assert main(["validate", "app"]) == 0
    assert main(["build", "app"]) == 2
    assert "app/bad.py:2 cannot be read" in capsys.readouterr().err.replace(str(project) + "/", "")
