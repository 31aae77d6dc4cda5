"""The options of `graphbus build`: how each is said, and the BuildConfig that they come to.

Which option a plain build has no use for, and what `--resume` does with each, stands with the settings (`config`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphbus_core.cli.options import Many, setting
from graphbus_core.config import FRONT_END_ROUNDS

if TYPE_CHECKING:
    from graphbus_core.config import BuildConfig
    from graphbus_core.settings.effective import Settings

DEFAULT_OUTPUT = ".graphbus"

Path = Annotated[
    str | None,
    typer.Argument(help="The folder of the agents, or a dotted package; default: `roots` of the settings."),
]
EnableAgents = Annotated[bool, typer.Option("--enable-agents", help="Negotiate, and edit what is agreed.")]
Rounds = Annotated[int | None, setting("rounds", show_default="3")]
OutputDir = Annotated[
    str | None, typer.Option("--output-dir", "-o", help="Where the build goes.", show_default=".graphbus")
]
Model = Annotated[
    Many,
    setting("model", "--model", "--llm-model", "--seat"),
]
Intent = Annotated[str | None, typer.Option(help="What you want, in your words; every agent is told.")]
Goal = Annotated[Many, typer.Option(help="A refactoring goal (may be repeated).")]
Verify = Annotated[str | None, setting("verify")]
Answers = Annotated[
    str | None, typer.Option(help="Who says what is meant where rules have no evidence: a YAML file, or a model.")
]
Arbiter = Annotated[Many, setting("policy.arbiters")]
Protect = Annotated[Many, setting("policy.protect")]
FallbackModel = Annotated[str | None, setting("fallback_model", "--fallback-model")]
MaxCost = Annotated[float | None, setting("budget.cost_usd")]
MaxTokens = Annotated[int | None, setting("budget.tokens")]
MaxWall = Annotated[float | None, setting("budget.wall_s")]
BaseUrl = Annotated[str | None, typer.Option(help="The address of the model's server, such as one on this machine.")]
AnswerTimeout = Annotated[float | None, typer.Option(help="Seconds that one answer may take.", show_default="120")]
Concurrency = Annotated[int | None, typer.Option(help="Questions under way at once.", show_default="64")]
OutputTokens = Annotated[int | None, typer.Option(help="Tokens that one answer may have.", show_default="8000")]
AllowImports = Annotated[
    bool | None, setting("policy.allow_imports", "--allow-imports/--no-imports", show_default="no")
]
AllowUnproved = Annotated[str | None, setting("policy.allow_unproved")]
Approve = Annotated[bool | None, setting("policy.approve", "--approve/--no-approve", show_default="no")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the diffs; change nothing.")]
Git = Annotated[bool | None, setting("policy.git", "--git/--no-git", show_default="no")]
AllowDirty = Annotated[bool, typer.Option("--allow-dirty", help="Work over uncommitted changes.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the unfinished negotiation.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Drop the unfinished negotiation and start over.")]
Estimate = Annotated[bool, typer.Option("--estimate", help="Say what the models would cost; ask nobody.")]

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
_KEYS = {
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


def with_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options, with what the project's settings say where one was not given. Raises UsageError, ConfigError.

    A build that is resumed takes what it began with, and a plain one has no use for what is about a negotiation.
    """
    from graphbus_core.errors import UsageError
    from graphbus_core.settings import effective

    settings = effective(given["path"] or ".")
    path, settings = settings.start(given["path"])
    if path is None:
        raise UsageError("Which folder? Give a path, or set `roots` in [tool.graphbus].")
    made = {**given, "path": path, "output_dir": given["output_dir"] or settings.output}
    for option, name in _KEYS.items():
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
    from graphbus_core.config import BuildConfig, SafetyConfig
    from graphbus_core.errors import UsageError

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
    said = {setting: given[option] for option, setting in _SETTINGS.items()}
    said |= {one: bool(said[one]) for one in ("enable_human_in_loop", "git_commit")}  # not said is no
    return BuildConfig(
        **{**said, "output_dir": given["output_dir"] or DEFAULT_OUTPUT},
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
    from graphbus_core.config import options

    table = options()
    found = [
        table[setting].flag
        for option, setting in (_ELSEWHERE | _SETTINGS).items()
        if given[option] and table[setting].needs_agents
    ]
    return [*found, "--estimate"] if given["estimate"] else found


def _names(given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


def _llm(given: Mapping[str, Any]) -> Any:
    from graphbus_core.config import LLMConfig
    from graphbus_core.errors import UsageError

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
