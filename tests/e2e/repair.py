"""Build one broken pipeline offline, then run it end to end with payload checks enforced, and judge what happened."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from graphbus_core.analysis.links import link
from graphbus_core.analysis.scan import scan
from graphbus_core.build.builder import BuildArtifacts, build_project
from graphbus_core.config import BuildConfig, LLMConfig, RuntimeConfig, SafetyConfig
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.sessions.build.hooks import Hooks
from tests.e2e.pipelines import Pipeline


class Verdict(StrEnum):
    """What became of a broken pipeline."""

    REPAIRED = "repaired"  # every link fits, and it runs end to end
    LEFT = "left"  # not a byte was changed, and the build says why
    BROKEN = "broken"  # something was committed, and it does not run


@dataclass(frozen=True)
class Repaired:
    """One result. `reason`: why it was left, or what went wrong. `asked`: whether a question of meaning is open."""

    verdict: Verdict
    reason: str
    asked: bool = False


def repair(pipeline: Pipeline, folder: Path) -> Repaired:
    """Write, build with the rule negotiators, run."""
    agents, output = folder / "agents", folder / ".graphbus"
    agents.mkdir(parents=True)
    for name, content in pipeline.files.items():
        (agents / name).write_bytes(content)
    assert link(scan(str(agents)).agents).mismatches, f"seed {pipeline.seed} is not broken at all"
    reasons: list[str] = []

    def observe(kind: str, data: Any) -> None:
        if kind == "fact" and data["kind"] in ("commit_failed", "proposal_rejected", "proposal_dropped"):
            reasons.append(data["fact"]["why"])

    config = BuildConfig(
        root_package=str(agents),
        output_dir=str(output),
        enable_agents=True,
        llm_config=LLMConfig(model="rules"),
        safety_config=SafetyConfig(max_negotiation_rounds=3),
    )
    made = build_project(config, Hooks(observe))
    assert made.linked is not None
    untouched = all((agents / name).read_bytes() == content for name, content in pipeline.files.items())
    asked = any(q["choice"] is None and q["candidates"] for q in made.negotiation.questions)
    if untouched:
        left = [reason for m in made.linked.mismatches for reason in m.reasons]
        return Repaired(Verdict.LEFT, "; ".join(reasons or left), asked)
    if made.linked.mismatches:
        return Repaired(Verdict.BROKEN, "files were changed, and links still do not fit", asked)
    if pipeline.guess:
        return Repaired(Verdict.BROKEN, "it was changed, and nothing but a guess says so")
    return _run(pipeline, made, output)


def _run(pipeline: Pipeline, made: BuildArtifacts, output: Path) -> Repaired:
    executor = RuntimeExecutor(RuntimeConfig(artifacts_dir=str(output), payload_checks="enforce"))
    executor.start()
    try:
        report = _drive(pipeline, made, executor)
    except Exception as e:
        return Repaired(Verdict.BROKEN, f"{type(e).__name__}: {e}")
    finally:
        executor.stop()
    return Repaired(Verdict.REPAIRED, "") if report else Repaired(Verdict.BROKEN, "nothing arrived at the end")


def _drive(pipeline: Pipeline, made: BuildArtifacts, executor: RuntimeExecutor) -> Any:
    if pipeline.topic is not None:
        executor.publish(pipeline.topic, {})
        assert executor.bus is not None
        letters = [letter.to_dict() for letter in executor.bus.dead_letters]
        if letters:
            raise AssertionError(f"a dead letter: {letters[0]}")
        return executor.nodes["Sink"].reports[-1:]  # type: ignore[attr-defined]
    payload: dict[str, Any] = {}
    agents = {a.name: a for a in made.agents}
    for node, name in pipeline.chain:
        method = agents[node].method(name)
        assert method is not None
        assert method.input_schema is not None
        taken = {k: v for k, v in payload.items() if k in method.input_schema.fields}
        payload = executor.call_method(node, name, **taken)
    return payload.get("report")
