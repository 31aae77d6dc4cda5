"""What a build is asked for: what was said, else what the project's settings say, else the defaults -> BuildConfig.

One place for every front end. A build from the page, the API and the command line has the same settings, so a file that
is protected in one is protected in all. An option has the name that it has on the command line.

Which option a plain build has no use for, and what `--resume` does with each, stands with the settings (`config`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from graphbus_core.config import FRONT_END_ROUNDS, BuildConfig, LLMConfig, SafetyConfig, options
from graphbus_core.errors import UsageError
from graphbus_core.settings.effective import Settings, effective

# Option -> setting, where one is the other; the rest is put together in `configured`.
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
_ELSEWHERE = {"model": "llm_config.model"}
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
_UNSAID: dict[str, Any] = {
    **dict.fromkeys((*_SETTINGS, *_BOUNDS, *KEYS)),
    **dict.fromkeys(("enable_agents", "dry_run", "allow_dirty", "resume", "fresh", "estimate"), False),
}


def asked(path: str | os.PathLike[str], output_dir: str | os.PathLike[str] | None, **said: Any) -> BuildConfig:
    """What a build of the project at `path` is asked for by a front end without flags; None and [] say nothing.

    `said` goes before the environment, the environment before the project's file. Raises UsageError, ConfigError.
    """
    places = {"path": os.fspath(path), "output_dir": None if output_dir is None else os.fspath(output_dir)}
    # One way to say nothing: configs of two front ends that ask for the same are then equal.
    given = {name: None if value == [] else value for name, value in said.items()}
    return configured(with_settings({**_UNSAID, **given, **places}))


def with_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options, with what the project's settings say where one was not given. Raises UsageError, ConfigError.

    A build that is resumed takes what it began with, and a plain one has no use for what is about a negotiation.
    """
    settings = effective(given["path"] or ".")
    path, settings = settings.start(given["path"])
    if path is None:
        raise UsageError("Which folder? Give a path, or set `roots` in [tool.graphbus].")
    made = {**given, "path": path, "output_dir": given["output_dir"] or settings.output}
    for option, name in KEYS.items():
        wanted = option in ("include", "exclude") or (given["enable_agents"] and not given["resume"])
        if wanted and settings.stated(name) and made[option] in (None, []):
            made[option] = _from_setting(settings, name)
    return made


def _from_setting(settings: Settings, name: str) -> Any:
    """A setting as its option takes it."""
    value = settings[name]
    if name == "policy.allow_unproved":
        return ",".join(value)
    if name == "policy.protect":  # a path there is seen from the file that says it, not from where the command is given
        return [str(settings.root / one) if "/" in one and (settings.root / one).exists() else one for one in value]
    return list(value) if isinstance(value, tuple) else value


def configured(given: Mapping[str, Any]) -> BuildConfig:
    """The settings of a build, from its options by name (`with_settings`). Raises UsageError, ConfigError."""
    # Refused and not ignored: somebody who says --verify on a plain build believes that it was run.
    if not given["enable_agents"] and (needless := _for_agents(given)):
        raise UsageError(f"{needless[0]} is for a negotiation, and a plain build has none; add --enable-agents.")
    rounds = given["rounds"]
    if rounds is not None and rounds < 1:
        raise UsageError(f"--rounds {rounds}: a negotiation has at least one round. Give --rounds 1 or more.")
    if given["resume"] and given["fresh"]:
        raise UsageError("--resume goes on and --fresh starts over; give one of them.")
    # A resumed build keeps the bound it was asked with; the usual one of front ends is for new ones.
    most = SafetyConfig().max_negotiation_rounds if given["resume"] else FRONT_END_ROUNDS
    # What is said by nobody is as the config has it.
    said = {setting: given[option] for option, setting in _SETTINGS.items() if given[option] is not None}
    return BuildConfig(
        **said,
        llm_config=_llm(given),
        safety_config=SafetyConfig(
            max_negotiation_rounds=most if rounds is None else rounds,
            arbiter_agents=given["arbiter"] or [],
            protected_files=given["protect"] or [],
            allow_external_dependencies=bool(given["allow_imports"]),
        ),
        allow_unproved=_names(given["allow_unproved"]),
        # What was stated is told apart from a default, so that --resume can say what it takes over.
        stated=frozenset() if rounds is None else frozenset({"safety_config.max_negotiation_rounds"}),
    )


def _for_agents(given: Mapping[str, Any]) -> list[str]:
    """What was given that only a negotiation has a use for, as it was said."""
    table = options()
    found = [
        table[setting].flag
        for option, setting in (_ELSEWHERE | _SETTINGS).items()
        if given[option] and table[setting].needs_agents
    ]
    return [*found, "--estimate"] if given["estimate"] else found


def _names(given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


def _llm(given: Mapping[str, Any]) -> LLMConfig | None:
    models = given["model"] or []
    bounds = {setting: given[option] for option, setting in _BOUNDS.items() if given[option] is not None}
    other = given["fallback_model"]
    if not models and other is None and not bounds:
        return None
    per_agent: dict[str, str] = {}
    common = None
    for one in models:
        agent, sep, name = one.partition("=")
        # `model=x` with a dot or a slash in front of the sign is a name of a provider, and no agent.
        own = bool(sep) and agent.replace(".", "").isidentifier()
        before = per_agent.get(agent) if own else common
        if not (name if own else one).strip():
            raise UsageError(f"--model {one!r} names no model; write one, or leave it out.")
        if before is not None:
            who = f"{agent} has two models" if own else "Two models are to speak for all"
            raise UsageError(f"{who}: {before} and {name if own else one}. Give one; others as --model Agent=model.")
        if own:
            per_agent[agent] = name
        else:
            common = one
    return LLMConfig(common, models=per_agent, fallback_model=other, **bounds)
