"""What 0.2.0 left on a disk is opened by every later version, and answers as it did then (issue 31, part one, 4).

`v0_2_0/` was written by that version (`make_corpus`). Each piece is copied, and asked what it was asked then, by the
commands that the docs name. What it was `given` never changes. An answer changes on purpose alone, with a line in the
CHANGELOG: then the file of that answer is edited.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphbus_core import errors
from graphbus_core.build import BuildConfig, build_project
from graphbus_core.cli.main import main
from graphbus_core.runtime import run_runtime
from tests.compatibility import wire
from tests.compatibility.corpus import Piece, Step, digests, shown, told, write

CORPUS = Path(__file__).parent / "v0_2_0"
PIECES = sorted(folder.name for folder in CORPUS.iterdir() if (folder / "asked.json").exists())
PROVED = {
    "news",
    "seed",
    "unfinished",
    "cut_off",
}  # their gates run code, and so they want a sandbox and a type checker
BUILT = {"hello": "agents", "news": "agents", "seed": "agents", "orders": ".", "runtime": "agents"}
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def as_then(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """The surroundings in which the answers were written down: no colours, a width, UTC, nobody's session."""
    for name in [n for n in os.environ if n.endswith(("_API_KEY", "SESSION_ID", "THREAD_ID")) or n == "FORCE_COLOR"]:
        monkeypatch.delenv(name)
    for name, value in {"TZ": "UTC", "COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    time.tzset()
    yield monkeypatch
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def unpacked(tmp_path: Path, as_then: pytest.MonkeyPatch) -> Any:
    """`unpacked("hello")` is a copy of that piece, and the folder that one stands in."""

    def unpack(name: str) -> Path:
        Piece(CORPUS / name).unpack(tmp_path)
        as_then.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        as_then.chdir(tmp_path / "p")
        for module in (tmp_path / "p").glob("*.py"):  # a command has a process of its own, a worker has seen others
            as_then.delitem(sys.modules, module.stem, raising=False)
        return tmp_path / "p"

    return unpack


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_answers_as_it_did(name: str, unpacked: Any, capfd: Capture) -> None:
    """Every step in its order, over one copy."""
    piece, here, began = Piece(CORPUS / name), unpacked(name), time.time()
    for number, step in enumerate(piece.steps, 1):
        if step.write:
            write(step, here)
            continue
        said = _said(step, here, began, capfd)
        then = piece.answer(number, step)
        if (expected := then.read_text(encoding="utf-8")) != said and name in PROVED and _has_no_sandbox(capfd):
            pytest.skip("no sandbox works here")
        assert said == expected, f"not what stands in {then}"


def _has_no_sandbox(capfd: Capture) -> bool:
    main(["doctor", "--json"])
    return any(one["name"] == "sandbox" and not one["ok"] for one in json.loads(capfd.readouterr().out)["checks"])


def _said(step: Step, here: Path, began: float, capfd: Capture) -> str:
    if not step.run:
        return shown(step, here, began)
    code = main(list(step.run))
    out, err = capfd.readouterr()
    return told(step, code, out, err, here, began)


@pytest.mark.parametrize("name", BUILT)
def test_a_build_of_the_same_sources_writes_the_same_bytes(name: str, unpacked: Any) -> None:
    """All that runs; of summary and manifest all but the build's id, its time, and the version that wrote them."""
    here: Path = unpacked(name)
    build_project(BuildConfig(root_package=BUILT[name], output_dir="fresh"))
    for path in sorted(path for path in (here / "fresh").rglob("*") if path.is_file() and "cache" not in path.parts):
        then = (here / ".graphbus" / path.relative_to(here / "fresh")).read_bytes()
        assert _lasting(path.name, path.read_bytes()) == _lasting(path.name, then), path


def _lasting(name: str, content: bytes) -> Any:
    if name == "build_summary.json":
        # `negotiation` and what it modified: of the build that negotiated first, which this one does not.
        return {k: v for k, v in json.loads(content).items() if k not in _OF_ONE_BUILD}
    if name == "manifest.json":
        manifest = json.loads(content)
        files = {**manifest["files"], "build_summary.json": "", "agents.json": ""}
        return manifest | {"digest": "", "graphbus": "", "files": files}
    if name == "agents.json":
        # Which nodes run in one process is judged by another rule now, which wants it shown that a node keeps nothing.
        return [agent | {"metadata": agent["metadata"] | {"one_place": None}} for agent in json.loads(content)]
    return content


_OF_ONE_BUILD = {"build_id", "built_at", "root_package", "modified_files", "negotiation"}


@pytest.mark.parametrize("name", ["news", "seed"])
def test_the_projection_beside_a_log_is_made_of_it_again(name: str, unpacked: Any, capfd: Capture) -> None:
    """`negotiation_log.json`, which programs of others read."""
    here: Path = unpacked(name)
    assert main(["log", "export"]) == 0
    assert json.loads(capfd.readouterr().out) == json.loads((here / ".graphbus" / "negotiation_log.json").read_bytes())


def test_an_old_build_runs_in_a_program(unpacked: Any) -> None:
    """`run_runtime` over the folder, as the docs have it; its bus counts."""
    unpacked("hello")
    executor = run_runtime(".graphbus")
    try:
        executor.publish("/Hello/Asked", {"name": "Ada"})
        assert executor.call_method("GuestBook", "read") == {"greetings": ["Hello, Ada!"]}
        assert executor.get_stats()["message_bus"]["messages_delivered"] == 2
    finally:
        executor.stop()


@pytest.mark.timeout(400)  # three processes
def test_what_outsiders_hold_on_to_is_still_there(unpacked: Any) -> None:
    """Paths, operation ids, schemas with their names, messages of the stream; tools, resources, prompts over MCP."""
    pytest.importorskip("mcp")
    now = wire.said([sys.executable], unpacked("hello"), dict(os.environ))
    for name, document in now.items():
        then = json.loads((CORPUS / "wire" / f"{name}.json").read_text(encoding="utf-8"))
        assert list(wire.lost(then, document)) == [], name


def test_every_command_and_option_is_still_there() -> None:
    """By the page that is made from the commands: another test holds it to them."""
    then, now = CORPUS / "wire" / "commands.md", Path(__file__).parents[2] / "docs" / "commands.md"
    assert _options(then) - _options(now) == set()


def _options(page: Path) -> set[tuple[str, str]]:
    command, found = "", set()
    for line in page.read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"#+ `graphbus (.+)`", line):
            command = heading[1]
            found.add((command, ""))
        elif row := re.match(r"\| (`.+?`(?:, `.+?`)*) \|", line):
            found.update((command, name) for name in re.findall(r"`(.+?)`", row[1]))
    return found


def test_errors_have_the_names_that_dead_letters_and_other_processes_know_them_by() -> None:
    """`error_type` of a dead letter; the kind of a failure that travels, which a peer of 0.2.0 looks up by name."""
    then = """
        ArtifactError ArtifactMissing BadHandler BadPayload ConfigError ContractChanged ContractError DeadlineExceeded
        GraphBusError IllegalMove Locked LogDamaged NoAgentsError NodeFailed NotRunning NothingToResume ParticipantError
        PayloadRejected PolicyRefused QueueFull RemoteError RuntimeFault ScanError ScenarioError TransportDown
        UnknownMethod UnknownNode UnknownTopic UsageError
    """
    assert [name for name in then.split() if getattr(errors, name).__name__ != name] == []


def test_nobody_changed_the_corpus() -> None:
    """A tool that rewrites imports, ends of lines or spaces must leave it alone: its bytes are those of 0.2.0."""
    assert digests(CORPUS) == (CORPUS / "SHA256SUMS").read_text(encoding="utf-8")
