"""`graphbus build`, `validate` and `inspect`: what they print, and the exit codes of design §12."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.examples import example
from graphbus_core.cli.main import main


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copies of both examples, with the working directory beside them."""
    for name in ("hello", "news_pipeline"):
        shutil.copytree(example(name), tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    code = main(list(args))
    out, err = capsys.readouterr()
    return code, out, err


def as_json(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    return json.loads(run(capsys, *args, "--json")[1])


def test_validate_prints_both_methods_the_field_and_the_payload(capsys: pytest.CaptureFixture[str]) -> None:
    """And exits 1 where something does not fit."""
    code, out, err = run(capsys, "validate", "news_pipeline/agents")
    assert (code, err) == (1, "")
    for text in (
        "FetcherService.fetch_headlines  =>  CleanerService.clean",
        "items",
        'FetcherService.fetch_headlines may send   {"feed_title": ""',
        "CleanerService.clean rejects it",
        "CleanerService.clean  =>  FormatterService.format_digest",
        "agents/cleaner.py:",
    ):
        assert text in out


def test_validate_exits_0_where_all_fits(capsys: pytest.CaptureFixture[str]) -> None:
    """One checked link, none left over."""
    code, out, _ = run(capsys, "validate", "hello")
    assert code == 0
    assert "fits" in out


def test_validate_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object."""
    told = as_json(capsys, "validate", "news_pipeline/agents")
    assert told["ok"] is False
    assert {m["producer"] for m in told["mismatches"]} == {"CleanerService.clean", "FetcherService.fetch_headlines"}
    assert all(m["counterexample"] for m in told["mismatches"])
    assert as_json(capsys, "validate", "hello")["ok"] is True


def test_build_writes_artifacts_and_says_what_does_not_fit(capsys: pytest.CaptureFixture[str], project: Path) -> None:
    """A plain build of a project that does not fit is still a build."""
    code, out, _ = run(capsys, "build", "news_pipeline/agents", "--output-dir", "out")
    assert code == 0
    assert "2 links do not fit" in out
    assert "graphbus validate news_pipeline/agents" in out
    assert (project / "out" / "manifest.json").exists()
    told = as_json(capsys, "build", "hello")
    assert told["agents"] == ["Greeter", "GuestBook"]
    assert told["mismatches"] == []


def test_inspect_shows_a_project_and_a_build_alike(capsys: pytest.CaptureFixture[str]) -> None:
    """From source, and from `.graphbus`; one node in full."""
    run(capsys, "build", "hello")
    from_source = run(capsys, "inspect", "hello")[1]
    assert from_source == run(capsys, "inspect", ".graphbus")[1]
    assert "on /Hello/Greeted -> on_greeted" in from_source
    code, out, _ = run(capsys, "inspect", ".graphbus", "Greeter")
    assert code == 0
    assert 'greet {"name": str} -> {"message": str}' in out
    assert as_json(capsys, "inspect", "hello", "Greeter")["name"] == "Greeter"
    assert len(as_json(capsys, "inspect", "hello")["agents"]) == 2


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["validate", "nope"], "nope"),
        (["build", "no/where"], "no/where"),
        (["build", "empty"], "No agents found"),
        (["validate", "broken"], "broken/bad.py:1 cannot be read"),
        (["inspect", "hello", "Greter"], "Did you mean Greeter?"),
        (["inspect", "empty/.graphbus"], "empty/.graphbus"),
        (["build", "hello", "--model", "x"], "--enable-agents"),
        (["build", "hello", "--enable-agents", "--resume", "--fresh"], "one of them"),
        (["build", "hello", "--nonsense"], "nonsense"),
        (["build", "hello", "--rounds", "many"], "whole number"),
        (["build", "hello", "--enable-agents", "--rounds", "0"], "--rounds 0"),
        (["build"], "path"),
    ],
)
def test_bad_input_is_one_paragraph_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], project: Path, args: list[str], says: str
) -> None:
    """Never a traceback, and nothing on stdout."""
    (project / "empty").mkdir()
    (project / "broken").mkdir()
    (project / "broken" / "bad.py").write_text("def f(:\n")
    code, out, err = run(capsys, *args)
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


def test_the_plain_form_says_what_the_full_one_says(tmp_path, monkeypatch, capsys):
    """`graphbus build PATH` is read without the command-line library; words, object and errors are the same."""
    from graphbus_core.cli.build import plain as build_quick
    from graphbus_core.cli.main import QUICK, main

    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "a.py").write_text(
        "from graphbus_core import GraphBusNode\n\n\nclass A(GraphBusNode):\n    pass\n"
    )
    monkeypatch.chdir(tmp_path)
    assert build_quick.quick(["agents", "--enable-agents"]) is None
    assert build_quick.quick(["nowhere"]) is None
    said = {}
    for plain in (True, False):
        if not plain:
            monkeypatch.delitem(QUICK, "build")
        for args in (["agents"], ["agents", "--json"], ["agents", "-o", "out"], ["nowhere"]):
            code = main(["build", *args])
            out, err = capsys.readouterr()
            words = re.sub(r"build-[\d-]+", "ID", out)
            said.setdefault(tuple(args), []).append((code, words, err))
    assert all(first == second for first, second in said.values())
    assert said["agents",][0][0] == 0
