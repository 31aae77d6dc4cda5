"""`--estimate`: the plan of a whole build, from its real prompts, with nobody asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.sessions.build.seats import estimate_build
from graphbus_core.testing import chain, write_files


def plan_of(root: Path, environ: dict[str, str], model: str | None = None) -> tuple[object, tuple[str, ...]]:
    write_files(root, chain(4, arbiter=True))
    config = BuildConfig(
        str(root / "agents"),
        llm_config=LLMConfig(model=model),
        safety_config=SafetyConfig(max_negotiation_rounds=3),
        enable_agents=True,
    )
    return estimate_build(config, environ)


def test_a_build_is_planned_without_a_call(tmp_path: Path) -> None:
    plan, notes = plan_of(tmp_path, {"ANTHROPIC_API_KEY": "k" * 20})
    assert plan.calls_by_kind == {"propose": 12, "evaluate": 18, "arbitrate": 1}  # type: ignore[attr-defined]
    assert plan.cost_usd > 0  # type: ignore[attr-defined]
    assert "ANTHROPIC_API_KEY is set" in notes[0]


def test_the_rules_cost_nothing(tmp_path: Path) -> None:
    plan, notes = plan_of(tmp_path, {})
    assert (plan.calls, plan.cost_usd) == (0, 0.0)  # type: ignore[attr-defined]
    assert "rule negotiators" in notes[0]


def test_the_command_prints_the_plan_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(tmp_path, chain(3))
    out = tmp_path / "out"
    args = [
        "build",
        str(tmp_path / "agents"),
        "--enable-agents",
        "--estimate",
        "--model",
        "ollama:qwen3",
        "-o",
        str(out),
    ]
    assert main(args) == 0
    said = capsys.readouterr().out
    assert "about 21 calls (9 propose, 12 evaluate)" in said
    assert "no price is known for ollama:qwen3" in said
    assert not out.exists()
