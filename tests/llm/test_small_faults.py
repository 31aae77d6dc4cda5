"""Faults that people met while seating a model, one a test."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from graphbus_core.analysis.links import link
from graphbus_core.analysis.scan import scan
from graphbus_core.cli.build.live_view import LiveView
from graphbus_core.cli.main import main
from graphbus_core.config import LLMConfig
from graphbus_core.participants.llm import choose_model, questions
from graphbus_core.participants.llm.models import open_model
from graphbus_core.participants.llm.prompts import cut_middle
from graphbus_core.participants.llm.usage import is_priced_by_name
from graphbus_core.testing import chain, temporary_project

SERVER = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    "name", ["anthropic:claude-sonnet-4-5", "anthropic:claude-sonnet-4-5-20250929", "openai:gpt-4o-2024-08-06"]
)
def test_a_model_that_is_sold_has_a_price(name: str) -> None:
    assert is_priced_by_name(name)


@pytest.mark.parametrize(
    "name", ["anthropic:claude-sonnet-4-5-nonsense", "anthropic:claude-3-opus-fake", "google:gemini-2.5-pro-xyz", "x:y"]
)
def test_a_model_that_nobody_offers_has_none(name: str) -> None:
    assert not is_priced_by_name(name)


def test_a_local_server_named_by_the_environment_wants_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", SERVER)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert choose_model({"OPENAI_BASE_URL": SERVER}, LLMConfig(model="openai:qwen3")).model == "openai:qwen3"
    assert str(open_model("openai:qwen3", LLMConfig(model="openai:qwen3")).base_url).startswith(SERVER)


def test_a_model_whose_name_looks_like_an_emoji_is_printed_as_it_is() -> None:
    out = io.StringIO()
    story = LiveView(Console(file=out, emoji=False))
    story("notice", {"text": "together:x: answers"})
    assert "together:x: answers" in out.getvalue()


def test_the_projects_that_are_measured_have_contracts() -> None:
    with temporary_project(chain(3)) as root:
        agents = scan(str(root / "agents")).agents
        assert all(m.output_schema is not None for a in agents for m in a.methods)
        assert len(link(agents).links) == 2


def test_a_role_is_told_once() -> None:
    card = {"name": "A", "file": "a.py", "source": 'class A:\n    SYSTEM_PROMPT = """I keep\nevery item."""\n    X = 1'}
    told = questions._tell_agent_context({"card": card})
    assert "every item" not in told
    assert "X = 1" in told


def test_a_long_reason_keeps_its_end() -> None:
    text = "Traceback\n" + "frame\n" * 500 + "KeyError: 'qty'"
    assert cut_middle(text, 300).endswith("KeyError: 'qty'")
    assert len(cut_middle(text, 300)) < 310


def test_where_a_model_is_and_what_it_may_take_can_be_said_on_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server on this machine is asked at its own address, within the time that was given."""
    given = ["--model", "openai:local", "--base-url", SERVER, "--answer-timeout", "1", "--concurrency", "2"]
    with temporary_project(chain(2)) as root:
        monkeypatch.chdir(root)
        code = main(["build", "agents", "--enable-agents", "--rounds", "1", "--output-tokens", "50", *given])
    assert code == 1
    assert "openai:local could not be reached" in "".join(capsys.readouterr())
