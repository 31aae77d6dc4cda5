"""A negotiating build that is cut off and gone on with: what it keeps, what it refuses, what it leaves alone."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.build.builder import BuildArtifacts, build_project
from graphbus_core.commit import engine, transaction
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.errors import ConfigError, Locked, UsageError
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.sessions.build.hooks import Hooks
from graphbus_core.sessions.build.resumption import record_settings
from graphbus_core.storage.locks import hold_build_lock
from graphbus_core.storage.sealed_lines import parse_object, seal_object
from tests.faults.test_kill_build import EXAMPLE

SCRIPT = LLMConfig("scripted:script.yaml")
TWO = SafetyConfig(max_negotiation_rounds=2)
FULL = BuildConfig("agents", llm_config=SCRIPT, safety_config=TWO)
RESUME = BuildConfig("agents", enable_agents=True, resume=True)


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh copy of the example, and the working directory in it."""
    folder = tmp_path / "project"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".graphbus", "__pycache__"))
    monkeypatch.chdir(folder)
    return folder


def sources() -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in Path("agents").glob("*.py")}


def facts() -> list[Any]:
    """Kind and content of every fact, without times."""
    newest = NegotiationFolder(".graphbus").find_newest()
    assert newest is not None
    lines = [json.loads(line) for line in newest.path.read_text().splitlines()[1:]]
    return [(line["kind"], json.dumps(line["event"])) for line in lines]


def cut_off(config: BuildConfig, kind: str = "applying", number: int = 1, after_s: float = 0.0) -> None:
    """Build, and stop it as Ctrl-C would at the `number`-th thing of this kind (an observation or a fact)."""
    cancels: list[Any] = []
    seen = 0

    def observe(what: str, data: Any) -> None:
        nonlocal seen
        if kind in (what, data.get("kind") if what == "fact" else None):
            seen += 1
            if seen == number:
                threading.Timer(after_s, cancels[0]).start() if after_s else cancels[0]()

    with pytest.raises(asyncio.CancelledError):
        build_project(config, Hooks(observe, begin=cancels.append))


def undisturbed(config: BuildConfig = FULL) -> tuple[list[Any], dict[str, bytes], BuildArtifacts]:
    """What the same build comes to when it is left alone; its traces are taken away again."""
    before = sources()
    made = build_project(config)
    told, files = facts(), sources()
    shutil.rmtree(".graphbus")
    for name, data in before.items():
        (Path("agents") / name).write_bytes(data)
    return told, files, made


def test_the_short_command_goes_on_with_all_that_was_asked_for() -> None:
    """Model, verify, rounds and the rest are taken from the build that began, so that nothing lands unproven."""
    config = replace(FULL, verify="false", intent="short digests", refactoring_goals=["less"], git_commit=False)
    expected, files, _ = undisturbed(config)
    cut_off(config)
    build_project(RESUME)
    assert facts() == expected
    assert sources() == files
    kinds = [kind for kind, _ in facts()]
    assert "commit_failed" in kinds
    assert "proposal_committed" not in kinds


@pytest.mark.parametrize(
    "lost",
    [("negotiation_log.json",), ("negotiation_log.json", "build_summary.json", "manifest.json")],
    ids=["the log alone", "the log and the build"],
)
def test_a_build_that_ended_without_its_log_writes_it_again_and_the_same(lost: tuple[str, ...]) -> None:
    """Killed between the last commit and the end; where nothing is missing there is nothing to resume."""
    build_project(FULL)
    log, before = Path(".graphbus/negotiation_log.json"), (facts(), sources())
    written = log.read_bytes()
    for name in lost:
        Path(".graphbus", name).unlink()
    build_project(RESUME)
    assert log.read_bytes() == written
    assert (facts(), sources()) == before
    with pytest.raises(UsageError, match="no unfinished negotiation"):
        build_project(RESUME)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"verify": "true"}, "--verify was false and now is true"),
        ({"enable_human_in_loop": True}, "--approve was not given and now is given"),
        ({"dry_run": True}, "--dry-run was not given"),
        ({"intent": "other"}, "--intent was not given and now is other"),
        ({"llm_config": LLMConfig("rules")}, "--model was scripted:script.yaml and now is rules"),
        ({"safety_config": SafetyConfig(max_negotiation_rounds=5)}, "--rounds was 2 and now is 5"),
        ({"stated": frozenset({"safety_config.max_negotiation_rounds"})}, "--rounds was 2 and now is 10"),
        ({"root_package": "other"}, "the project was agents and now is other"),
    ],
)
def test_what_is_asked_otherwise_is_refused_by_the_name_of_its_flag(change: dict[str, Any], says: str) -> None:
    """And nothing happens."""
    cut_off(replace(FULL, verify="false"))
    before = facts()
    with pytest.raises(UsageError, match=r"cannot be resumed like this") as told:
        build_project(replace(RESUME, **change))
    assert says in str(told.value)
    assert facts() == before


def test_the_same_said_again_and_budgets_are_no_difference() -> None:
    """A path may be written in another way; money and time are this run's own."""
    cut_off(FULL)
    llm = replace(SCRIPT, max_wall_s=60.0, max_tokens=10**9)
    build_project(replace(FULL, root_package="./agents/", llm_config=llm, resume=True))
    assert facts()[-1][0] == "negotiation_ended"


def test_a_key_is_never_kept_and_has_to_be_given_again() -> None:
    """Neither the field that holds one, nor a command that names one."""
    secret = "sk-" + "a1b2c3d4" * 4
    verify = f"X={secret} true"
    config = replace(FULL, llm_config=replace(SCRIPT, api_key=secret), verify=verify)
    assert secret not in json.dumps(record_settings(config, "rules", {}))
    known = record_settings(replace(FULL, verify="echo quietly-known-7"), "rules", {"MY_TOKEN": "quietly-known-7"})
    assert "quietly-known-7" not in json.dumps(known)
    cut_off(config, "evaluation_opened")
    with pytest.raises(UsageError, match=r"--verify held a key"):
        build_project(RESUME)
    build_project(replace(RESUME, verify=verify))
    assert facts()[-1][0] == "negotiation_ended"


def test_the_address_of_a_model_has_to_be_given_again() -> None:
    """Left out, prompts that were meant for a server of one's own would go to the provider; and no folder names it."""
    url = "http://me:pass@127.0.0.1:9/v1"
    cut_off(replace(FULL, llm_config=replace(SCRIPT, base_url=url)))
    header = record_settings(replace(FULL, llm_config=replace(SCRIPT, base_url=url)), "rules")
    assert header["address"] == "http://127.0.0.1:9"
    with pytest.raises(UsageError, match=r"--base-url was http://127\.0\.0\.1:9, .*give it again"):
        build_project(RESUME)
    elsewhere = LLMConfig(base_url="http://127.0.0.1:10/v1")
    assert build_project(replace(RESUME, llm_config=elsewhere)).negotiation is not None


def test_a_log_of_an_older_edition_is_gone_on_with_as_the_command_line_says() -> None:
    """Its header keeps nothing; bounds and intent stand in its first fact."""
    expected, files, _ = undisturbed()
    cut_off(FULL)
    newest = NegotiationFolder(".graphbus").find_newest()
    assert newest is not None
    lines = newest.path.read_bytes().splitlines(keepends=True)
    header = parse_object(lines[0][:-1])
    assert header is not None
    header.pop("asked")
    header.pop("crc", None)
    newest.path.write_bytes(b"".join([seal_object(header), *lines[1:]]))
    with pytest.raises(UsageError, match=r"--rounds was 2 and now is 7"):
        build_project(replace(RESUME, llm_config=SCRIPT, safety_config=SafetyConfig(max_negotiation_rounds=7)))
    build_project(replace(RESUME, llm_config=SCRIPT))
    assert facts() == expected
    assert sources() == files


@pytest.mark.parametrize("number", [1, 2, 4])
def test_an_edit_meanwhile_is_refused_and_kept(number: int) -> None:
    """Changed, gone or new: said by name. Put back, the negotiation goes on to the same end."""
    expected, files, _ = undisturbed()
    cut_off(FULL, number=number)
    formatter = Path("agents/formatter.py")
    was = formatter.read_text()
    edited = was.replace("A digest", "THE digest") if "A digest" in was else was + "\n# mine\n"
    formatter.write_text(edited)
    with pytest.raises(UsageError, match=r"agents/formatter\.py was changed since.*--fresh"):
        build_project(RESUME)
    assert formatter.read_text() == edited
    formatter.write_text(was)
    Path("agents/new.py").write_text("x = 1\n")
    with pytest.raises(UsageError, match=r"agents/new\.py is new"):
        build_project(RESUME)
    Path("agents/new.py").unlink()
    build_project(RESUME)
    assert facts() == expected
    assert sources() == files


def test_a_commit_that_landed_and_was_not_recorded_is_no_edit() -> None:
    """Killed between the files and the fact: the undo record tells whose change it is."""
    expected, files, _ = undisturbed()
    cut_off(FULL, "proposal_committed")
    newest = NegotiationFolder(".graphbus").find_newest()
    assert newest is not None
    lines = newest.path.read_bytes().splitlines(keepends=True)
    cut = next(i for i, line in enumerate(lines) if b'"kind":"proposal_committed"' in line)
    newest.path.write_bytes(b"".join(lines[:cut]))
    newest.path.with_name(newest.path.name + ".head").unlink()
    build_project(RESUME)
    assert facts() == expected
    assert sources() == files


def test_a_resumed_dry_run_has_its_commits_again() -> None:
    """Its copy is new, so that what was committed in the first one is committed once more; the sources stay."""
    config = replace(FULL, dry_run=True)
    before = sources()
    expected, _, _ = undisturbed(config)
    cut_off(config, number=4)
    made = build_project(RESUME)
    assert made.dry_run
    assert facts() == expected
    assert sources() == before


def test_stopped_in_a_check_nothing_of_that_commit_lands() -> None:
    """The user's command is ended at once, and resumed, all is as if undisturbed."""
    config = replace(FULL, verify="test -e quick || sleep 20")
    Path("quick").touch()
    expected, files, _ = undisturbed(config)
    Path("quick").unlink()
    before, begun = sources(), time.monotonic()
    cut_off(config, after_s=0.8)
    assert time.monotonic() - begun < 10
    assert sources() == before
    assert facts() == expected[: len(facts())]
    assert "proposal_committed" not in [kind for kind, _ in facts()]
    Path("quick").touch()
    build_project(RESUME)
    assert facts() == expected
    assert sources() == files


def test_stopped_while_its_files_are_written_a_commit_is_finished_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the build stops right after it, however often it is told to."""
    expected, files, _ = undisturbed()
    cancels: list[Any] = []

    def slowly(*args: Any) -> Any:
        for _ in range(3):
            cancels[0]()
            time.sleep(0.03)
        return transaction.commit_changes(*args)

    with monkeypatch.context() as patched:
        patched.setattr(engine, "commit_changes", slowly)
        with pytest.raises(asyncio.CancelledError):
            build_project(FULL, Hooks(begin=cancels.append))
    told = facts()
    assert [kind for kind, _ in told].count("proposal_committed") == 1
    assert told == expected[: len(told)]
    build_project(RESUME)
    assert facts() == expected
    assert sources() == files


@pytest.mark.parametrize("delay_s", [0.0, 0.02, 0.05, 0.1, 0.15, 0.2])
def test_stopped_at_any_time_the_files_are_what_the_log_says(delay_s: float) -> None:
    """A commit is recorded if its files were written, and did not happen if not."""
    cut_off(FULL, after_s=delay_s)
    expected = {p.as_posix(): p.read_bytes() for p in Path("agents").glob("*.py")}
    known: dict[str, str] = {}
    for kind, event in facts():
        if kind == "negotiation_opened":
            known = dict(json.loads(event)["files"])
        elif kind == "proposal_committed":
            known.update(json.loads(event)["receipt"]["after"])
    assert {path: hashlib.sha256(data).hexdigest() for path, data in expected.items()} == known


def test_a_start_that_cannot_be_leaves_the_unfinished_one_in_its_place() -> None:
    """No log is opened for it."""
    cut_off(FULL)
    begun = NegotiationFolder(".graphbus").list_builds()
    with pytest.raises(ConfigError, match=r"Nobody"):
        build_project(replace(FULL, fresh=True, safety_config=SafetyConfig(arbiter_agents=["Nobody"])))
    with pytest.raises(UsageError, match=r"there is no /nonexistent/cmd"):
        build_project(replace(FULL, fresh=True, verify="/nonexistent/cmd --now"))
    assert NegotiationFolder(".graphbus").list_builds() == begun
    build_project(RESUME)


def test_a_log_without_a_fact_is_never_the_newest(project: Path) -> None:
    """A start that was killed before its first fact hides nothing."""
    cut_off(FULL)
    store = NegotiationFolder(".graphbus")
    begun = store.find_newest()
    log, answers = store.open("build-2099-01-01-000000", {})
    log.close()
    answers.close()
    newest, unfinished = store.find_newest(), store.find_unfinished()
    assert newest is not None
    assert unfinished is not None
    assert begun is not None
    assert newest.build_id == unfinished.build_id == begun.build_id


def test_a_plain_build_waits_for_no_negotiation_and_freezes_nothing_of_it() -> None:
    """It is refused like another negotiating build; plain builds do not stand in each other's way."""
    build_project(BuildConfig("agents"))
    with (
        hold_build_lock(".graphbus"),
        pytest.raises(Locked, match=r"Another build of this project is under way \(process"),
    ):
        build_project(BuildConfig("agents"))
    build_project(BuildConfig("agents"))


def test_both_ways_are_offered_where_a_negotiation_was_left() -> None:
    """A build that says neither starts over, and says so."""
    cut_off(FULL)
    told: list[str] = []
    build_project(FULL, Hooks(lambda kind, data: told.append(data["text"]) if kind == "notice" else None))
    assert any("--resume goes on with it" in text and "--fresh" in text for text in told)
