"""Which model is chosen, and what is said when none can be."""

from __future__ import annotations

import subprocess
import sys

import pytest

from graphbus_core.config import LLMConfig
from graphbus_core.errors import UsageError
from graphbus_core.participants.llm import (
    choose_model,
    fill_missing_keys,
    find_provider,
    models,
    resolve_model_name,
    seat,
)


@pytest.mark.parametrize(
    ("bare", "full"),
    [
        ("claude-sonnet-4", "anthropic:claude-sonnet-4"),
        ("gpt-6.1-terra", "openai:gpt-6.1-terra"),
        ("gemini-3.8-flash", "google:gemini-3.8-flash"),
        ("ollama:qwen3:8b", "ollama:qwen3:8b"),
        ("o1-mini", "openai:o1-mini"),
        ("Anthropic: claude-sonnet-4 ", "anthropic:claude-sonnet-4"),
        ("gateway/anthropic:claude-opus-5-5", "gateway/anthropic:claude-opus-5-5"),
    ],
)
def test_a_bare_name_of_the_seeds_finds_its_provider(bare: str, full: str) -> None:
    assert resolve_model_name(bare) == full


def test_a_name_without_a_provider_is_refused_with_what_to_write() -> None:
    with pytest.raises(UsageError, match="provider:model"):
        resolve_model_name("llama")


def test_flavours_of_one_provider_share_its_lane() -> None:
    assert {find_provider(f"openai{x}:gpt-6-luna") for x in ("", "-chat", "-responses")} == {"openai"}


def test_without_a_key_the_rules_answer_and_the_sentence_says_how_to_seat_a_model() -> None:
    choice = choose_model({})
    assert choice.model is None
    assert "rule negotiators" in choice.why
    assert "ANTHROPIC_API_KEY" in choice.why
    assert "graphbus-core[llm]" in choice.why


@pytest.mark.parametrize(("key", "provider"), [("ANTHROPIC_API_KEY", "anthropic"), ("OPENAI_API_KEY", "openai")])
def test_a_key_in_the_environment_seats_its_provider_and_names_it(key: str, provider: str) -> None:
    choice = choose_model({key: "x" * 20})
    assert choice.model is not None
    assert choice.model.startswith(f"{provider}:")
    assert choice.model in choice.why
    assert key in choice.why


def test_a_named_model_without_its_key_is_one_sentence_that_names_the_variable() -> None:
    with pytest.raises(UsageError, match="set ANTHROPIC_API_KEY") as e:
        choose_model({}, LLMConfig(model="claude-sonnet-5-5"))
    assert "\n" not in str(e.value)


def test_a_named_model_without_the_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "is_installed", lambda name: False)
    with pytest.raises(UsageError, match=r"pip install 'graphbus-core\[llm\]'"):
        choose_model({"ANTHROPIC_API_KEY": "x" * 20}, LLMConfig(model="claude-sonnet-5-5"))


def test_a_key_without_the_extra_leaves_the_rules_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "is_installed", lambda name: False)
    choice = choose_model({"ANTHROPIC_API_KEY": "x" * 20})
    assert choice.model is None
    assert "ANTHROPIC_API_KEY is set" in choice.why


def test_no_sentence_repeats_the_key() -> None:
    key = "sk-ant-secret-secret-secret"
    assert key not in choose_model({"ANTHROPIC_API_KEY": key}).why
    assert key not in repr(LLMConfig(api_key=key))


def test_each_agent_may_have_its_own_model_and_rules_are_left_to_others() -> None:
    llm = LLMConfig(models={"A": "gpt-6-luna", "B": "rules"})
    seats = seat(llm, ["A", "B", "C", "D"], model="anthropic:claude-sonnet-5-5", models={"C": "ollama:qwen3"})
    assert {n: p.model for n, p in seats.items()} == {  # type: ignore[attr-defined]
        "A": "openai:gpt-6-luna",
        "C": "ollama:qwen3",
        "D": "anthropic:claude-sonnet-5-5",
    }


def test_seating_imports_no_model_library() -> None:
    """They take a second or two to load, which a build without a model must not pay."""
    code = (
        "import sys; from graphbus_core.participants.llm import seat, choose_model;"
        "from graphbus_core.config import LLMConfig;"
        "print(*seat(LLMConfig(), ['A'], model=choose_model({'OPENAI_API_KEY': 'x'}).model));"
        "print(*{'pydantic_ai', 'openai', 'anthropic', 'genai_prices', 'aiohttp', 'httpx2'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("A\n\n", "")


def test_a_provider_that_is_not_there_is_refused_before_anybody_is_asked() -> None:
    """It was found out at the first question, in the middle of a negotiation, with exit code 1."""
    with pytest.raises(UsageError, match="no provider 'nope'"):
        choose_model({}, LLMConfig(model="nope:foo"))


def test_what_a_model_costs_is_told_without_a_key() -> None:
    """Only of models that are named: without a name the environment still says who answers."""
    assert choose_model(fill_missing_keys(LLMConfig(model="claude-x"), {}), LLMConfig(model="claude-x")).model
    assert fill_missing_keys(LLMConfig(), {"A": "b"}) == {"A": "b"}
