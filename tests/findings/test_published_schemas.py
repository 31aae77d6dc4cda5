"""SARIF and JUnit hold against the schemas that others published, word for word, and offline (issue 16)."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import xmlschema

from graphbus_core.cli.main import main
from graphbus_core.findings import Finding, Level, Related, Report, render
from graphbus_core.findings.codes import CODES
from graphbus_core.findings.suppressions import Ignore

PUBLISHED = Path(__file__).parent / "published"
SARIF = jsonschema.Draft7Validator(json.loads((PUBLISHED / "sarif-2.1.0.json").read_text("utf-8")))
JUNIT = xmlschema.XMLSchema(str(PUBLISHED / "junit-10.xsd"))
NASTY = 'a|b <b>`x`</b> \x1b[31m ]]> & " \n\t\x00 😀'
PLACE = "shop/my cart, old:1.py"
BROKEN = "def load():\n    return {'quantity': 3}\n\n\ndef total():\n    return load()['qty']\n"


def _judged() -> Report:
    """A finding of every code, with what each may carry: nothing, or a payload, both ends, odd places and words."""
    bare = [Finding(code, "said", subject=code, level=CODES[code].level) for code in sorted(CODES)]
    full = [
        Finding(code, NASTY, PLACE, line, NASTY, level, (NASTY,), {"n": NASTY}, True, (other,), "mend")
        for code, line, level, other in (
            ("GB101", 7, Level.ERROR, Related(NASTY, "shop/ü.py", 2)),
            ("GB102", 0, Level.WARNING, Related("no line", "a b.py", 0)),
            ("GB105", 1, Level.NOTE, Related("", "x.py", 1)),
        )
    ]
    silenced = tuple((one, Ignore((one.code,), one.file, (one.line,), reason=NASTY)) for one in full)
    elsewhere = tuple((one, Ignore((one.code,), "shop/*", reason="of pyproject.toml")) for one in full)
    return Report((*bare, *full), (*silenced, *elsewhere), tuple(full))


@pytest.mark.parametrize("judged", [_judged(), Report(())], ids=["everything", "nothing"])
def test_what_is_rendered_holds_against_both(judged: Report) -> None:
    """Whatever a finding carries, and where there is none."""
    assert list(SARIF.iter_errors(json.loads(render(judged, "sarif")))) == []
    assert list(JUNIT.iter_errors(render(judged, "junit"))) == []


@pytest.mark.parametrize("command", [["infer"], ["validate", ".", "--against", "../before"]], ids=lambda c: c[0])
def test_what_commands_print_holds_against_both(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a build server gets it: from the command, with exit code 1."""
    for name, source in (("now", BROKEN), ("before", BROKEN.replace("qty", "quantity"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "pyproject.toml").write_text('[project]\nname = "shop"\n')
        (tmp_path / name / "shop.py").write_text(source)
    monkeypatch.chdir(tmp_path / "now")
    assert main([*command, "--format", "sarif"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert list(SARIF.iter_errors(told)) == []
    assert [one["ruleId"] for one in told["runs"][0]["results"]] == ["GB501"]
    assert main([*command, "--format", "junit"]) == 1
    assert list(JUNIT.iter_errors(capsys.readouterr().out)) == []


def test_the_schemas_refuse_what_is_wrong() -> None:
    """Else the tests above would say nothing."""
    told = json.loads(render(_judged(), "sarif"))
    told["runs"][0]["results"][0]["level"] = "fatal"
    assert not SARIF.is_valid(told)
    assert not JUNIT.is_valid(render(_judged(), "junit").replace("<testcase classname=", "<testcase line=", 1))
