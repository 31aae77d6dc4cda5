"""`--estimate`: the plan of a whole build, from its real prompts, with nobody asked."""

from __future__ import annotations

from pathlib import Path

from graphbus_core.build.estimate import estimate_build
from graphbus_core.build.link import link
from graphbus_core.build.scan import scan
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
from graphbus_core.testing import chain, write_files


def plan_of(root: Path, environ: dict[str, str], model: str | None = None) -> tuple[object, tuple[str, ...]]:
    write_files(root, chain(4, arbiter=True))
    project = scan(str(root / "agents"))
    config = BuildConfig(
        str(root / "agents"),
        llm_config=LLMConfig(model=model),
        safety_config=SafetyConfig(max_negotiation_rounds=3),
        enable_agents=True,
    )
    return estimate_build(config, project, link(project.agents), environ)


def test_a_build_is_planned_without_a_call(tmp_path: Path) -> None:
    plan, notes = plan_of(tmp_path, {"ANTHROPIC_API_KEY": "k" * 20})
    assert plan.calls_by_kind == {"propose": 12, "evaluate": 18, "arbitrate": 1}  # type: ignore[attr-defined]
    assert plan.cost_usd > 0  # type: ignore[attr-defined]
    assert "ANTHROPIC_API_KEY is set" in notes[0]


def test_the_rules_cost_nothing(tmp_path: Path) -> None:
    plan, notes = plan_of(tmp_path, {})
    assert (plan.calls, plan.cost_usd) == (0, 0.0)  # type: ignore[attr-defined]
    assert "rule negotiators" in notes[0]
