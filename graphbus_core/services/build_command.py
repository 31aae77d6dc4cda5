"""What a build is asked for: what was said, else what the project's settings say, else the defaults -> BuildConfig.

One place for every front end. A build from the page, the API and the command line has the same settings, so a file that
is protected in one is protected in all. An option has the name that it has on the command line.

Which option a plain build has no use for, and what `--resume` does with each, stands with the settings (`config`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.build.builder import BuildArtifacts, build_project
from graphbus_core.config import FRONT_END_ROUNDS, BuildConfig, LLMConfig, SafetyConfig, list_options
from graphbus_core.errors import UsageError
from graphbus_core.sessions.build.hooks import Hooks
from graphbus_core.settings.effective import Settings, load_settings

if TYPE_CHECKING:
    from graphbus_core.participants.llm.cost_estimate import Estimate

# A build as a command makes it: one, in the foreground; what became of it, and what an earlier one left unfinished.
#
# The modules that negotiate are loaded when they are needed: a plain build needs none of them.


Observe = Callable[[str, Mapping[str, Any]], None]


def build(config: BuildConfig) -> BuildArtifacts:
    """Scan, link and freeze, without a negotiation. Raises GraphBusError."""
    return build_project(config)


def negotiate(
    config: BuildConfig, observe: Observe, approver: Any = None, seats: Mapping[str, Any] | None = None
) -> BuildArtifacts:
    """A build whose agents negotiate first. `observe` hears the story; `approver` is asked before each commit; `seats`
    are agents whom somebody else speaks for. Raises GraphBusError, and KeyboardInterrupt, after which it can go on.
    """
    return build_project(config, Hooks(observe, approver, seats=seats or {}))


def load_negotiation() -> None:
    """Import all that a negotiation needs: what Ctrl-C strikes in the middle of an import is in pieces afterwards."""
    import graphbus_core.sessions.build.orchestrator  # noqa: F401


@dataclass(frozen=True)
class UnfinishedBuild:
    """What a build left that was cut off: whether its negotiation had ended, who sat there, and the offer in words."""

    ended: bool
    people: tuple[str, ...]
    offer: str


def find_unfinished(output_dir: str | Path) -> UnfinishedBuild | None:
    """The negotiation that `--resume` would go on with. Raises LogDamaged."""
    from graphbus_core.sessions.build import resumption

    # Ended too: a negotiation that was decided and not committed is still to be finished.
    leftover = resumption.find_unfinished(output_dir)
    return (
        None
        if leftover is None
        else UnfinishedBuild(leftover.kept.ended, leftover.people, resumption.describe_unfinished(leftover.kept))
    )


def find_unfinished_now(output_dir: str | Path) -> UnfinishedBuild | None:
    """The same, where nobody negotiates just now. Raises Locked: a negotiation under way is not unfinished."""
    from graphbus_core.storage.locks import hold_reading_lock

    with hold_reading_lock(output_dir):
        return find_unfinished(output_dir)


def collect_findings(artifacts: BuildArtifacts) -> list[str]:
    """What a build leaves to be looked at, in words; it ends with exit code 1 for those.

    What a negotiation left undone; and where the project says so, what a run of this build would refuse.
    """
    return [*_list_negotiation_findings(artifacts), *_list_run_refusals(artifacts)]


def _list_negotiation_findings(artifacts: BuildArtifacts) -> list[str]:
    if not artifacts.negotiation:
        return []
    from graphbus_core.services.build_findings import list_build_findings

    return list_build_findings(artifacts)


def _list_run_refusals(artifacts: BuildArtifacts) -> list[str]:
    """By the policy's rules, and by the providers where `[tool.graphbus]` names some; what is ignored or stands in the
    baseline is not among them."""
    from graphbus_core.settings import load_settings

    root = artifacts.root or "."
    # A folder that is gone has no settings of its own; those of where the command runs hold.
    settings = load_settings(root)
    if not settings["policy.rules"] and not settings["provide"]:
        return []
    from graphbus_core.services.validation import judge_run

    # Without any provider a program makes its own objects and hands them in: nobody misses one.
    counted = judge_run(artifacts.agents, Path(root), settings)
    return [f"{f.file}:{f.line}: {f.message}" for f in counted if f.code != "GB108" or settings["provide"]]


def estimate(config: BuildConfig) -> tuple[Estimate, tuple[str, ...]]:
    """What the models of a build would cost, and what to know about that. Nobody is asked."""
    from graphbus_core.sessions.build.seats import estimate_build

    return estimate_build(config)


def undo(config: BuildConfig, proposal_id: str, **how: Any) -> tuple[dict[str, Any], list[str]]:
    """Take a committed proposal back: its receipt, and notes. Raises UsageError where there is no such proposal."""
    from graphbus_core.commit import undo_proposal
    from graphbus_core.inference.landing import is_adoption, take_back

    state = Path(config.output_dir)
    if is_adoption(state, proposal_id):  # nothing was negotiated there, so its gates have nothing to ask
        return take_back(state, proposal_id, prepare=bool(how.get("prepare"))), []
    return undo_proposal(config, proposal_id, **how)


def describe_negotiation(artifacts: BuildArtifacts) -> dict[str, Any] | None:
    """How the negotiation of a build ended, what became of each proposal, and where the whole story is."""
    from graphbus_core.logs.negotiation_folder import NegotiationFolder
    from graphbus_core.negotiation.proposal.negotiation_log import find_decider

    outcome = artifacts.negotiation
    if not outcome:
        return None
    fates = [
        {
            "id": p.proposal_id,
            "proposer": p.proposer,
            "round": p.round,
            "type": p.type,
            # Parsed by programs: the keys stay, and a later edition may only add some.
            "summary": p.proposal.get("summary", ""),
            "outcome": p.outcome,
            "decided_by": find_decider(p),
            "why": p.why,
            "gate": p.failed_gate or None,
            "commit_id": None if artifacts.dry_run else p.commit_id or None,
            "files": list(p.files),
            "unified_diff": p.receipt.get("unified_diff", ""),
        }
        for p in outcome.proposals
    ]
    return {
        "ended": {"reason": outcome.reason, "why": outcome.why},
        "rounds": outcome.rounds,
        "log": str(NegotiationFolder(Path(artifacts.output_dir)).log_path(artifacts.build_id)),
        "proposals": fates,
        "unheard": list(outcome.unheard),
        "silent": list(outcome.silent),
        "questions": [_describe_question(q) for q in outcome.questions],
        "left": [dict(left_item) for left_item in outcome.left],
    }


def _describe_question(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question of meaning, and what was answered; `choice` is null where it is open, "none" for none of them."""
    description = {k: question[k] for k in ("link", "field", "agent", "text", "choice", "by", "why")}
    candidates = [{"name": c["name"], "says": c["says"]} for c in question["candidates"]]
    return {**description, "candidates": candidates}


def describe_data_files(artifacts: BuildArtifacts) -> str:
    """A sentence about the files that nodes read beside their modules, which no build holds."""
    from graphbus_core.build.builder import explain_data_files

    return explain_data_files(artifacts.data_files)


# Option -> setting, where one is the other; the rest is put together in `build_config`.
_SETTINGS = {
    "path": "root_package",
    "include": "include_modules",
    "exclude": "exclude_modules",
    "root": "whole_project",
    "goal": "refactoring_goals",
    "output_dir": "output_dir",
    "approve": "enable_human_in_loop",
    "enable_agents": "enable_agents",
    "intent": "intent",
    "verify": "verify",
    "answers": "answers",
    "dry_run": "dry_run",
    "git": "git_commit",
    "allow_dirty": "allow_dirty",
    "resume": "resume",
    "fresh": "fresh",
}
_NESTED_SETTINGS = {"model": "llm_config.model"}
# Option -> setting of LLMConfig: what models may cost and take, and where they are.
_BOUNDS = {
    "max_cost": "max_cost_usd",
    "max_tokens": "max_tokens",
    "max_wall": "max_wall_s",
    "base_url": "base_url",
    "answer_timeout": "timeout_s",
    "concurrency": "max_concurrency",
    "output_tokens": "max_output_tokens",
}
# Option -> setting of `[tool.graphbus]`, which holds where the option is not given.
KEYS = {
    "include": "include",
    "exclude": "exclude",
    "model": "model",
    "fallback_model": "fallback_model",
    "verify": "verify",
    "rounds": "rounds",
    "max_cost": "budget.cost_usd",
    "max_tokens": "budget.tokens",
    "max_wall": "budget.wall_s",
    "arbiter": "policy.arbiters",
    "protect": "policy.protect",
    "approve": "policy.approve",
    "allow_imports": "policy.allow_imports",
    "allow_unproved": "policy.allow_unproved",
    "git": "policy.git",
}


# What a front end without flags leaves unsaid.
_DEFAULT_OPTIONS: dict[str, Any] = {
    **dict.fromkeys((*_SETTINGS, *_BOUNDS, *KEYS)),
    **dict.fromkeys(("enable_agents", "dry_run", "allow_dirty", "resume", "fresh", "estimate"), False),
}


def resolve_config(
    path: str | os.PathLike[str], output_dir: str | os.PathLike[str] | None, **stated_options: Any
) -> BuildConfig:
    """What a build of the project at `path` is asked for by a front end without flags; None and [] say nothing.

    `said` goes before the environment, the environment before the project's file. Raises UsageError, ConfigError.
    """
    places = {"path": os.fspath(path), "output_dir": None if output_dir is None else os.fspath(output_dir)}
    # One way to say nothing: configs of two front ends that ask for the same are then equal.
    normalized = {name: None if value == [] else value for name, value in stated_options.items()}
    return build_config(apply_settings({**_DEFAULT_OPTIONS, **normalized, **places}))


def apply_settings(stated: Mapping[str, Any]) -> dict[str, Any]:
    """The options, with what the project's settings say where one was not given. Raises UsageError, ConfigError.

    A build that is resumed takes what it began with, and a plain one has no use for what is about a negotiation.
    """
    settings = load_settings(stated["path"] or ".")
    path, settings = settings.resolve_start(stated["path"])
    if path is None:
        raise UsageError("Which folder? Give a path, or set `roots` in [tool.graphbus].")
    resolved = {**stated, "path": path, "output_dir": stated["output_dir"] or settings.output}
    for option, name in KEYS.items():
        is_wanted = option in ("include", "exclude") or (stated["enable_agents"] and not stated["resume"])
        if is_wanted and settings.is_stated(name) and resolved[option] in (None, []):
            resolved[option] = _convert_setting(settings, name)
    return resolved


def _convert_setting(settings: Settings, name: str) -> Any:
    """A setting as its option takes it."""
    value = settings[name]
    if name == "policy.allow_unproved":
        return ",".join(value)
    if name == "policy.protect":  # a path there is seen from the file that says it, not from where the command is given
        return [
            str(settings.root / pattern) if "/" in pattern and (settings.root / pattern).exists() else pattern
            for pattern in value
        ]
    return list(value) if isinstance(value, tuple) else value


def build_config(resolved: Mapping[str, Any]) -> BuildConfig:
    """The settings of a build, from its options by name (`apply_settings`). Raises UsageError, ConfigError."""
    # Refused and not ignored: somebody who says --verify on a plain build believes that it was run.
    if not resolved["enable_agents"] and (needless := _list_agent_options(resolved)):
        raise UsageError(f"{needless[0]} is for a negotiation, and a plain build has none; add --enable-agents.")
    rounds = resolved["rounds"]
    if rounds is not None and rounds < 1:
        raise UsageError(f"--rounds {rounds}: a negotiation has at least one round. Give --rounds 1 or more.")
    if resolved["resume"] and resolved["fresh"]:
        raise UsageError("--resume goes on and --fresh starts over; give one of them.")
    # A resumed build keeps the bound it was asked with; the usual one of front ends is for new ones.
    most = SafetyConfig().max_negotiation_rounds if resolved["resume"] else FRONT_END_ROUNDS
    # What is said by nobody is as the config has it.
    stated_settings = {
        setting: resolved[option] for option, setting in _SETTINGS.items() if resolved[option] is not None
    }
    return BuildConfig(
        **stated_settings,
        llm_config=_build_llm_config(resolved),
        safety_config=SafetyConfig(
            max_negotiation_rounds=most if rounds is None else rounds,
            arbiter_agents=resolved["arbiter"] or [],
            protected_files=resolved["protect"] or [],
            allow_external_dependencies=bool(resolved["allow_imports"]),
        ),
        allow_unproved=_split_names(resolved["allow_unproved"]),
        # What was stated is told apart from a default, so that --resume can say what it takes over.
        stated=frozenset() if rounds is None else frozenset({"safety_config.max_negotiation_rounds"}),
    )


def _list_agent_options(resolved: Mapping[str, Any]) -> list[str]:
    """What was given that only a negotiation has a use for, as it was said."""
    table = list_options()
    flags = [
        table[setting].flag
        for option, setting in (_NESTED_SETTINGS | _SETTINGS).items()
        if resolved[option] and table[setting].needs_agents
    ]
    return [*flags, "--estimate"] if resolved["estimate"] else flags


def _split_names(names_text: str | None) -> list[str]:
    return [name.strip() for name in (names_text or "").split(",") if name.strip()]


def _build_llm_config(resolved: Mapping[str, Any]) -> LLMConfig | None:
    models = resolved["model"] or []
    bounds = {setting: resolved[option] for option, setting in _BOUNDS.items() if resolved[option] is not None}
    other = resolved["fallback_model"]
    if not models and other is None and not bounds:
        return None
    per_agent: dict[str, str] = {}
    common = None
    for model_text in models:
        agent, sep, name = model_text.partition("=")
        # `model=x` with a dot or a slash in front of the sign is a name of a provider, and no agent.
        own = bool(sep) and agent.replace(".", "").isidentifier()
        before = per_agent.get(agent) if own else common
        if not (name if own else model_text).strip():
            raise UsageError(f"--model {model_text!r} names no model; write one, or leave it out.")
        if before is not None:
            who = f"{agent} has two models" if own else "Two models are to speak for all"
            raise UsageError(
                f"{who}: {before} and {name if own else model_text}. Give one; others as --model Agent=model."
            )
        if own:
            per_agent[agent] = name
        else:
            common = model_text
    return LLMConfig(common, models=per_agent, fallback_model=other, **bounds)
