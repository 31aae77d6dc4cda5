"""Every bound and every setting, in one place. Plain data: nothing here reads a file, a clock or the environment.

Units stand last in a name (`timeout_s`). Defaults are those of seed 002 §2.10 and §4.1 where it gives one
(exceptions are named beside the field).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any, TypeVar

from graphbus_core.errors import ConfigError
from graphbus_core.suggestions import suggest_names

UNPROVABLE = ("types", "imports", "rehearsal")  # gates that a machine may be unable to run

FRONT_END_ROUNDS = 3  # what command line and server take where nothing is said (design §6.9); the library takes 10

_Settings = TypeVar("_Settings", "LLMConfig", "SafetyConfig")


@dataclass(frozen=True)
class Option:
    """How a setting is given to a build, and what `--resume` does with it. It stands in the field's metadata.

    `of_this_run`: each run says it anew. `is_free`: a resumed build may say something else than before. All others are
    as they were when the build began; `in_fact`: they are kept in the negotiation's first fact, else in the log's
    header.
    """

    flag: str = ""  # as people know it: an option of the command line, or words
    needs_agents: bool = False  # a plain build has no use for it
    of_this_run: bool = False
    is_free: bool = False
    in_fact: bool = False


def _make_option(flag: str = "", **how: bool) -> dict[str, Option]:
    return {"option": Option(flag, **how)}


_FREE, _THIS_RUN, _IN_FACT = _make_option(is_free=True), _make_option(of_this_run=True), _make_option(in_fact=True)


@dataclass
class LLMConfig:
    """Which model answers, and how long it may take.

    `model` is a pydantic-ai name (`anthropic:claude-…`), a bare name of the seeds (`claude-…`, `gpt-…`, `gemini-…`),
    `scripted:FILE` or `recorded:LOG`. None: the provider whose key stands in the environment, else the rules.
    """

    model: str | None = field(default=None, metadata=_make_option("--model", needs_agents=True))
    api_key: str | None = field(default=None, repr=False, metadata=_THIS_RUN)
    base_url: str | None = field(default=None, metadata=_THIS_RUN)
    temperature: float | None = None
    timeout_s: float = field(default=120.0, metadata=_FREE)
    max_retries: int = 2  # bad answers handed back to the model before it counts as silent
    max_output_tokens: int = 8_000
    max_concurrency: int = field(default=64, metadata=_FREE)  # questions under way at once, per provider
    fallback_model: str | None = field(default=None, metadata=_make_option("--fallback-model"))
    # agent name -> model, over `model`
    models: dict[str, str] = field(default_factory=dict, metadata=_make_option("--model Agent=…"))
    max_cost_usd: float | None = field(default=None, metadata=_FREE)
    max_tokens: int | None = field(default=None, metadata=_FREE)
    max_requests: int | None = field(default=None, metadata=_FREE)
    max_wall_s: float | None = field(default=None, metadata=_FREE)

    def __post_init__(self) -> None:
        _check_types(self)
        if not isinstance(self.models, Mapping) or not all(isinstance(n, str) for p in self.models.items() for n in p):
            raise ConfigError(f"LLMConfig.models is {self.models!r}; give a mapping of agents' names to models' names.")
        _check_positive(self, "timeout_s", "max_output_tokens", "max_concurrency")
        _check_not_negative(self, "max_retries", "max_cost_usd", "max_tokens", "max_requests", "max_wall_s")


@dataclass
class SafetyConfig:
    """The bounds of a proposal negotiation (seed 002 §2.10)."""

    max_negotiation_rounds: int = field(default=10, metadata=_make_option("--rounds", in_fact=True))
    max_proposals_per_agent: int = field(default=3, metadata=_IN_FACT)
    max_proposals_per_round: int = field(default=1, metadata=_IN_FACT)
    max_back_and_forth: int = field(default=3, metadata=_IN_FACT)
    convergence_threshold: int = field(default=2, metadata=_IN_FACT)
    require_arbiter_on_conflict: bool = field(default=True, metadata=_IN_FACT)
    arbiter_agents: list[str] = field(default_factory=list, metadata=_make_option("--arbiter", in_fact=True))
    max_file_changes_per_commit: int = field(default=5, metadata=_IN_FACT)  # the seed has 1; design §6.10 says why 5
    max_total_file_changes: int = field(default=10, metadata=_IN_FACT)
    allow_external_dependencies: bool = field(default=False, metadata=_make_option("--allow-imports", in_fact=True))
    # paths, folders, globs: `negotiation.proposal.protection`
    protected_files: list[str] = field(default_factory=list, metadata=_make_option("--protect"))

    def __post_init__(self) -> None:
        _check_types(self)
        self.arbiter_agents = _normalize_texts(self, "arbiter_agents")
        self.protected_files = _normalize_texts(self, "protected_files")
        _check_positive(self, "max_negotiation_rounds", "convergence_threshold")
        _check_not_negative(
            self,
            "max_proposals_per_agent",
            "max_proposals_per_round",
            "max_back_and_forth",
            "max_file_changes_per_commit",
            "max_total_file_changes",
        )


@dataclass
class BuildConfig:
    """What to build and how (seed 002 §4.1).

    `root_package` is a dotted package or a folder. A build edits sources only with `enable_agents`. `llm_config` and
    `safety_config` may be mappings of their fields. With `resume`, what stands at its default is taken from the build
    that began; `stated` names settings (dotted: `safety_config.max_negotiation_rounds`) that are meant as they stand,
    though that is the default.
    """

    root_package: str = field(metadata=_make_option("the project"))
    include_modules: list[str] | None = field(default=None, metadata=_make_option("--include"))
    exclude_modules: list[str] | None = field(default=None, metadata=_make_option("--exclude"))
    llm_config: LLMConfig | None = None
    refactoring_goals: list[str] | None = field(
        default=None, metadata=_make_option("--goal", needs_agents=True, in_fact=True)
    )
    safety_config: SafetyConfig = field(default_factory=SafetyConfig)
    output_dir: str = field(default=".graphbus", metadata=_THIS_RUN)
    enable_human_in_loop: bool = field(
        default=False, metadata=_make_option("--approve", needs_agents=True, in_fact=True)
    )
    # Beyond the seed:
    # None: yes if `llm_config` is given, as a build of seed 002 §4.2 means it
    enable_agents: bool | None = field(default=None, metadata=_THIS_RUN)
    intent: str | None = field(default=None, metadata=_make_option("--intent", needs_agents=True, in_fact=True))
    # the user's own command, run in the scratch copy; "auto" finds pytest
    verify: str | None = field(default=None, metadata=_make_option("--verify", needs_agents=True))
    verify_timeout_s: float = field(default=300.0, metadata=_FREE)
    dry_run: bool = field(default=False, metadata=_make_option("--dry-run", needs_agents=True))
    git_commit: bool = field(default=False, metadata=_make_option("--git", needs_agents=True))
    allow_dirty: bool = field(default=False, metadata=_FREE)
    resume: bool = field(default=False, metadata=_make_option("--resume", needs_agents=True, of_this_run=True))
    fresh: bool = field(default=False, metadata=_make_option("--fresh", needs_agents=True, of_this_run=True))
    stated: frozenset[str] = field(default=frozenset(), metadata=_THIS_RUN)
    # who says what is meant where rules have no evidence: a YAML file, or a model
    answers: str | None = field(default=None, metadata=_make_option("--answers", needs_agents=True))
    # the folder of all the code that may call the agents, where it is not the nearest with a pyproject.toml or .git
    whole_project: str | None = field(default=None, metadata=_make_option("--root"))
    # gates that may stay unproved where they cannot be run
    allow_unproved: list[str] = field(default_factory=list, metadata=_make_option("--allow-unproved"))

    def __post_init__(self) -> None:
        _check_types(self)
        self.allow_unproved = _normalize_texts(self, "allow_unproved")
        if unknown := sorted({*self.allow_unproved} - {*UNPROVABLE}):
            raise ConfigError(
                f"allow_unproved names {unknown[0]!r}; the gates that may stay unproved are {', '.join(UNPROVABLE)}."
            )
        if not os.fspath(self.root_package):
            raise ConfigError("BuildConfig.root_package is empty; give a folder or a dotted package.")
        if self.llm_config is not None:
            self.llm_config = parse_settings(LLMConfig, self.llm_config, "BuildConfig.llm_config")
        safety = {} if self.safety_config is None else self.safety_config
        self.safety_config = parse_settings(SafetyConfig, safety, "BuildConfig.safety_config")
        for name in ("include_modules", "exclude_modules", "refactoring_goals"):
            if getattr(self, name) is not None:
                setattr(self, name, _normalize_texts(self, name))
        _check_positive(self, "verify_timeout_s")
        if self.verify is not None and (not self.verify.strip() or "\0" in self.verify):
            raise ConfigError(
                f"verify is {self.verify!r}, which runs nothing and so would prove nothing; give a command, `auto`, or "
                "leave it out."
            )

    @property
    def agents_enabled(self) -> bool:
        """Whether this build negotiates."""
        return self.llm_config is not None if self.enable_agents is None else self.enable_agents


@dataclass
class RuntimeConfig:
    """The bounds of a running GraphBus (design §11)."""

    history_limit: int = 1_000
    queue_limit: int = 10_000
    on_full: str = "wait"  # wait | drop_oldest | error
    payload_checks: str = "off"  # off | warn | enforce
    dead_letter_limit: int = 1_000
    stop_timeout_s: float = 5.0
    call_timeout_s: float | None = None
    skip_broken: bool = False
    artifacts_dir: str = ".graphbus"
    enable_message_bus: bool = True
    retry_times: int = 0  # for handlers that say nothing themselves
    retry_backoff_s: float = 0.0
    journal: str | None = None  # a file that keeps every message
    journal_durable: bool = False  # on the disk before the publisher goes on, not only with the operating system
    journal_max_bytes: int | None = None  # a journal that grew beyond is renamed, and begun anew
    state_file: str | None = None  # where nodes' states are restored from at start and saved to at stop
    state_every_s: float = 1.0  # with a journal: how often the state is saved meanwhile
    handler_timeout_s: float | None = None  # for handlers that say nothing themselves
    handler_concurrency: int | None = None  # the same: how many events one handler is at, at once
    publisher_wait_s: float | None = 30.0  # how long a sync publisher waits for async handlers
    async_together: bool = False  # the async handlers of one event run at once
    dead_letter_file: str | None = None
    timestamps: bool = False  # whether events carry the time
    reloadable: bool = False  # whether a new build can be taken while it runs; a handler costs half a microsecond more

    def __post_init__(self) -> None:
        _check_types(self)
        _check_positive(self, "history_limit", "queue_limit", "dead_letter_limit", "stop_timeout_s", "call_timeout_s")
        _check_positive(self, "state_every_s", "handler_timeout_s", "handler_concurrency", "publisher_wait_s")
        _check_positive(self, "journal_max_bytes")
        _check_not_negative(self, "retry_times", "retry_backoff_s")
        if self.on_full not in ("wait", "drop_oldest", "error"):
            raise ConfigError(f"on_full is {self.on_full!r}; use wait, drop_oldest or error.")
        if self.payload_checks not in ("off", "warn", "enforce"):
            raise ConfigError(f"payload_checks is {self.payload_checks!r}; use off, warn or enforce.")


def list_options() -> dict[str, Option]:
    """Every setting of a build by its dotted name (`safety_config.max_negotiation_rounds`), and how it is given."""
    parts = (("", BuildConfig), ("llm_config.", LLMConfig), ("safety_config.", SafetyConfig))
    return {
        f"{prefix}{setting.name}": setting.metadata.get("option", Option())
        for prefix, part in parts
        for setting in fields(part)
        if setting.name not in ("llm_config", "safety_config")
    }


def parse_settings(kind: type[_Settings], value: Any, where: str) -> _Settings:
    """`given` if it is a `kind`; a mapping of its fields as one. Raises ConfigError with the nearest name."""
    if isinstance(value, kind):
        return value
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where} is {value!r}; give a {kind.__name__}, or a mapping of its fields.")
    names = [f.name for f in fields(kind)]
    for name in value:
        if name not in names:
            near = suggest_names(str(name), names, 3)
            raise ConfigError(
                f"{where} has no setting {name!r}; "
                f"{'the nearest are' if near else 'there are'} {', '.join(near or names)}."
            )
    return kind(**value)


def _check_types(config: Any) -> None:
    """Numbers and texts are what they are declared to be; None where that is allowed. NaN is not a number: as a bound
    it would never be reached."""
    for setting in fields(config):
        value = getattr(config, setting.name)
        kind, _, none = str(setting.type).partition(" | ")
        if kind not in _KINDS or (value is None and none):
            continue
        types, words = _KINDS[kind]
        if not isinstance(value, types) or value != value or (isinstance(value, bool) and kind in ("int", "float")):
            raise ConfigError(f"{type(config).__name__}.{setting.name} is {value!r}; it must be {words}.")


_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "int": ((Integral,), "a whole number"),
    "float": ((Real,), "a number"),
    "str": ((str, os.PathLike), "a text"),
}


def _check_positive(config: Any, *names: str) -> None:
    for name in names:
        value = getattr(config, name)
        if value is not None and not value > 0:
            raise ConfigError(f"{type(config).__name__}.{name} is {value!r}; it must be greater than 0.")


def _normalize_texts(config: Any, name: str) -> list[str]:
    """A list of texts; one text alone is a list of one, not of its characters."""
    value = getattr(config, name)
    if value is None:
        return []
    items = [value] if isinstance(value, str | os.PathLike) else value
    where = f"{type(config).__name__}.{name}"
    if not isinstance(items, Collection) or isinstance(items, Mapping | bytes):
        raise ConfigError(f"{where} is {value!r}; give a list of texts.")
    texts = [os.fspath(item) if isinstance(item, os.PathLike) else item for item in items]
    if wrong := [item for item in texts if not isinstance(item, str) or not item.strip()]:
        raise ConfigError(f"{where} holds {wrong[0]!r}; give a list of texts that say something.")
    return sorted(texts) if isinstance(value, Set) else texts


def _check_not_negative(config: Any, *names: str) -> None:
    for name in names:
        value = getattr(config, name)
        if value is not None and value < 0:
            raise ConfigError(f"{type(config).__name__}.{name} is {value!r}; it must be 0 or more.")
