"""What a build is told: settings that cannot be are refused with a sentence, natural spellings are taken."""

from __future__ import annotations

import asyncio
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.build.builder import build_project
from graphbus_core.cli.main import main
from graphbus_core.config import BuildConfig, LLMConfig, RuntimeConfig, SafetyConfig
from graphbus_core.errors import ConfigError, ScenarioError
from graphbus_core.logs.build_history import read_recording
from graphbus_core.negotiation.core.driver import run_blocking
from graphbus_core.sessions.consent import runner
from graphbus_core.testing import chain, temporary_project


def test_mappings_are_settings():
    """As a program reads them from its own file; None is the default."""
    config = BuildConfig("agents", safety_config={"max_negotiation_rounds": 2}, llm_config={"model": "rules"})
    assert (config.safety_config.max_negotiation_rounds, config.llm_config) == (2, LLMConfig(model="rules"))
    assert BuildConfig("agents", safety_config=None).safety_config == SafetyConfig()
    assert BuildConfig(Path("agents")).root_package == Path("agents")


@pytest.mark.parametrize("name", ["include_modules", "exclude_modules", "refactoring_goals"])
def test_one_text_is_a_list_of_one(name):
    """And not of its characters."""
    assert getattr(BuildConfig("agents", **{name: "align"}), name) == ["align"]
    assert getattr(BuildConfig("agents", **{name: ("a", "b")}), name) == ["a", "b"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: BuildConfig("a", llm_config={"modl": "x"}),
            r"llm_config has no setting 'modl'; the nearest are model",
        ),
        (lambda: BuildConfig("a", safety_config={"rounds": 3}), "safety_config has no setting 'rounds'"),
        (lambda: BuildConfig("a", llm_config="rules"), "llm_config is 'rules'; give a LLMConfig, or a mapping"),
        (lambda: BuildConfig("a", refactoring_goals=3), "refactoring_goals is 3; give a list of texts"),
        (lambda: BuildConfig("a", verify_timeout_s="60"), "verify_timeout_s is '60'; it must be a number"),
        (lambda: BuildConfig("a", output_dir=None), "output_dir is None; it must be a text"),
        (lambda: BuildConfig(None), "root_package is None; it must be a text"),
        (lambda: SafetyConfig(max_negotiation_rounds="3"), "max_negotiation_rounds is '3'; it must be a whole number"),
        (lambda: SafetyConfig(max_proposals_per_agent=None), "it must be a whole number"),
        (lambda: SafetyConfig(max_back_and_forth=True), "it must be a whole number"),
        (lambda: SafetyConfig(max_total_file_changes=2.5), "it must be a whole number"),
        (lambda: LLMConfig(models=["a"]), "LLMConfig.models"),
        (lambda: LLMConfig(model=3), "LLMConfig.model is 3"),
        (lambda: LLMConfig(max_cost_usd="1"), "it must be a number"),
        (lambda: LLMConfig(max_cost_usd=float("nan")), "max_cost_usd is nan; it must be a number"),
        (lambda: LLMConfig(max_wall_s=float("nan")), "max_wall_s is nan; it must be a number"),
        (lambda: RuntimeConfig(history_limit="many"), "RuntimeConfig.history_limit is 'many'"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_words(make, words):
    """Never a TypeError from somewhere inside."""
    with pytest.raises(ConfigError, match=words):
        make()


def config(root: Path, **more: Any) -> BuildConfig:
    """A build with rules."""
    return BuildConfig(
        str(root / "agents"), output_dir=str(root / ".graphbus"), llm_config=LLMConfig(model="rules"), **more
    )


def test_a_build_may_be_called_where_a_loop_runs():
    """A notebook, or an async program."""

    async def notebook(root: Path) -> int:
        return build_project(config(root)).agents_count

    with temporary_project(chain(2)) as root:
        assert asyncio.run(notebook(root)) == 2


def test_an_interrupt_ends_what_runs_in_the_thread():
    """Ctrl-C in a notebook: it is cancelled, and has ended when the interrupt goes on."""
    ended = []

    async def main() -> None:
        await asyncio.sleep(0.2)  # until the other thread waits: before, it is still starting this one
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    async def notebook() -> None:
        with pytest.raises(KeyboardInterrupt):
            run_blocking(main())
        assert ended == [True]

    loop = asyncio.new_event_loop()
    loop.run_until_complete(notebook())
    loop.close()


def test_consent_may_be_run_where_a_loop_runs(monkeypatch):
    """The same door."""

    async def done(*_: object) -> str:
        return "done"

    monkeypatch.setattr(runner, "run_async", done)

    async def notebook() -> object:
        return runner.run(None)  # type: ignore[arg-type]

    assert asyncio.run(notebook()) == "done"


def test_a_model_for_nobody_is_refused(capsys, monkeypatch):
    """With the nearest name, and before its file is looked for."""
    with temporary_project(chain(2)) as root:
        monkeypatch.chdir(root)
        code = main(["build", "agents", "--enable-agents", "--model", "Agent01=scripted:nothere.yaml"])
        err = capsys.readouterr().err
    assert code == 2
    assert "there is no agent Agent01; the nearest are Agent001" in err


@pytest.mark.parametrize("given", ["", "agents", "agents/chain.py", "nothere.jsonl", "/etc/passwd"])
def test_a_recording_that_is_none_is_bad_input(capsys, monkeypatch, given):
    """Nothing, a folder, another file: exit code 2 and what to give."""
    with temporary_project(chain(2)) as root:
        monkeypatch.chdir(root)
        code = main(["build", "agents", "--enable-agents", "--model", f"recorded:{given}"])
        err = capsys.readouterr().err
    assert (code, "Give a .jsonl file of .graphbus/negotiations/" in err, "Traceback" in err) == (2, True, False), err


def test_answers_that_are_none_are_no_recording(tmp_path):
    """A file of that name that holds something else."""
    path = tmp_path / "b.answers.jsonl"
    path.write_text("hello\n")
    with pytest.raises(ScenarioError, match="no answer that can be read"):
        read_recording(path)
