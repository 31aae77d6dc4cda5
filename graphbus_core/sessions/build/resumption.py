"""Going on with a negotiation that was cut off: what the build was asked to do, and what its files must be.

What a build was asked for stands with its negotiation: bounds, intent and approval in the first fact, the rest in the
log's header. `--resume` takes it from there. A resumed build may say anew only what it said before (design §6.14);
budgets and time limits are free. Keys are never kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graphbus_core.analysis.scan import Project
from graphbus_core.analysis.scan.layout import list_files
from graphbus_core.artifacts import NEGOTIATION_LOG, ArtifactFolder
from graphbus_core.commit.history import decode_base64, find_newest_record
from graphbus_core.commit.transaction import locate_root
from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig, list_options
from graphbus_core.errors import ArtifactError, LogDamaged, NothingToResume, UsageError
from graphbus_core.logs.jsonl import LogReader
from graphbus_core.logs.negotiation_folder import NegotiationFolder, StoredNegotiation
from graphbus_core.negotiation.core import Event
from graphbus_core.negotiation.proposal.events import EVENTS, NegotiationOpened
from graphbus_core.participants.secret_scrubber import Scrubber
from graphbus_core.text import join_few

SEATED = "seated"  # in the header: who spoke where no model was named
PEOPLE = "people"  # in the header: agents whose seat a front end took (`Hooks.seats`)
ADDRESS = "address"  # in the header: where the models answered, if that was not their provider's own address
WITHHELD = "withheld"  # in the header: settings that held a key and were not kept
SHOWN = 5  # files named in a refusal

_OPTIONS = list_options()


@dataclass(frozen=True)
class UnfinishedNegotiation:
    """A negotiation to go on with: its files, its first fact, all its facts, and what its build was asked for."""

    kept: StoredNegotiation
    opened: NegotiationOpened
    facts: tuple[Event, ...]

    @property
    def settings(self) -> dict[str, Any]:
        """Setting -> value as far as it was kept."""
        opened_settings = self.opened.settings
        first_fact_settings = {
            "intent": opened_settings.get("intent"),
            "refactoring_goals": opened_settings.get("goals") or None,
            "enable_human_in_loop": bool(opened_settings.get("human_in_loop")),
            **({"dry_run": True} if opened_settings.get("dry_run") else {}),
            **{f"safety_config.{name}": value for name, value in self.opened.safety.items()},
        }
        return {**first_fact_settings, **self._header}

    @property
    def is_whole(self) -> bool:
        """Whether all of what was asked was kept; logs of older editions hold the first fact's part alone."""
        return "asked" in (self.kept.inspection.header or {})

    @property
    def withheld(self) -> frozenset[str]:
        """Settings that held a key, and so were not kept."""
        return frozenset(self._header.get(WITHHELD, ()))

    @property
    def people(self) -> tuple[str, ...]:
        """Agents whose seat a person had, or whoever else the front end put there."""
        return tuple(self._header.get(PEOPLE, ()))

    def check_people(self, seated: Iterable[str]) -> None:
        """Nobody else may sit down in the place of a person. Raises UsageError where such a seat is empty."""
        empty = [name for name in self.people if name not in set(seated)]
        if empty:
            raise UsageError(
                f"{self.kept.build_id} cannot be resumed like this: a person spoke for {', '.join(empty)}, and nobody "
                "would sit there now. Resume it at a terminal, where you are asked, or with `graphbus serve` and "
                'POST /builds {"resume": true}; or start over with --fresh.'
            )

    @property
    def environ(self) -> Mapping[str, str] | None:
        """Where a model may be found by its key: nowhere, if the rules spoke because no model was named."""
        header = self._header
        return {} if header.get(SEATED) == "rules" and header.get("llm_config.model") is None else None

    @property
    def _header(self) -> dict[str, Any]:
        return dict((self.kept.inspection.header or {}).get("asked") or {})


def find_unfinished(output_dir: Path | str) -> UnfinishedNegotiation | None:
    """The negotiation that `--resume` goes on with: begun and not ended, or ended and its build or its
    `negotiation_log.json` not written."""
    store = NegotiationFolder(output_dir)
    negotiation = store.find_unfinished() or _find_unfrozen(store, output_dir)
    if negotiation is None:
        return None
    facts = tuple(entry.event for entry in LogReader(negotiation.path, EVENTS))
    opened = facts[0]
    assert isinstance(opened, NegotiationOpened)
    return UnfinishedNegotiation(negotiation, opened, facts)


def _find_unfrozen(store: NegotiationFolder, output_dir: Path | str) -> StoredNegotiation | None:
    newest = store.find_newest()
    try:
        frozen = ArtifactFolder(output_dir).summary.get("build_id")
    except ArtifactError:
        frozen = None
    if newest is None or not newest.ended:
        return None
    is_whole = newest.build_id == frozen and (Path(output_dir) / NEGOTIATION_LOG).exists()
    return None if is_whole else newest


def build_nothing_to_resume() -> NothingToResume:
    """What to say where `--resume` finds nothing."""
    return NothingToResume("There is no unfinished negotiation to resume. Leave --resume out to start one.")


def describe_unfinished(negotiation: StoredNegotiation) -> str:
    """The offer of both ways, where a negotiation was left unfinished (design §6.14)."""
    return f"{negotiation.build_id} was not finished: --resume goes on with it, --fresh drops it and starts over."


# ---- what the build was asked for


def record_settings(
    config: BuildConfig, seated: str, environ: Mapping[str, str] | None = None, people: Iterable[str] = ()
) -> dict[str, Any]:
    """What a log's header keeps of `config`: what is not the default and does not stand in the first fact."""
    scrub = Scrubber([config.llm_config.api_key if config.llm_config else None], environ or os.environ)
    recorded: dict[str, Any] = {SEATED: seated}
    withheld = []
    defaults = _collect_settings(BuildConfig(config.root_package))
    for name, value in _collect_settings(config).items():
        if _OPTIONS[name].in_fact:
            continue
        if name != "root_package" and value == defaults[name]:
            continue
        if scrub(text := json.dumps(value, ensure_ascii=False)) != text:
            withheld.append(name)
        else:
            recorded[name] = value
    if people_names := sorted(people):
        recorded[PEOPLE] = people_names
    if config.llm_config and config.llm_config.base_url:
        recorded[ADDRESS] = _extract_address(config.llm_config.base_url)
    return {**recorded, WITHHELD: withheld} if withheld else recorded


def _extract_address(url: str) -> str:
    """Scheme, host and port: what tells a server from another, and holds no password."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def restore_config(config: BuildConfig) -> BuildConfig:
    """`config` with what the unfinished negotiation's build was asked for, where `config` says nothing.

    A setting says something where it is not the default or is named in `config.stated`. Raises UsageError where it
    says something else than then, or where there is nothing to resume.
    """
    unfinished_negotiation = find_unfinished(config.output_dir)
    if unfinished_negotiation is None:
        raise build_nothing_to_resume()
    recorded = unfinished_negotiation.settings
    defaults = _collect_settings(BuildConfig(config.root_package))
    now = _collect_settings(config)
    complaints: list[str] = []
    for name, value in now.items():
        states = name == "root_package" or name in config.stated or value != defaults[name]
        if name in unfinished_negotiation.withheld:
            if not states:
                complaints.append(f"{_find_flag(name)} held a key and was therefore not kept: give it again")
        elif name not in recorded and not unfinished_negotiation.is_whole:
            continue  # an older log: only the command line tells
        elif not states:
            now[name] = recorded.get(name, defaults[name])
        elif not _OPTIONS[name].is_free and not _is_same(name, value, was := recorded.get(name, defaults[name])):
            complaints.append(
                f"{_find_flag(name)} {_describe_value(was, 'was')} and now {_describe_value(value, 'is')}"
            )
    # Told, and not taken up: a folder that came from somebody else could name a server of theirs, and get the key.
    # Nor left out: the prompts were meant for that server, and would go to the provider.
    if (address := recorded.get(ADDRESS)) and not (config.llm_config and config.llm_config.base_url):
        complaints.append(f"--base-url was {address}, and an address is not taken from a folder: give it again")
    if complaints:
        raise UsageError(
            f"{unfinished_negotiation.kept.build_id} cannot be resumed like this: {'; '.join(complaints)}. "
            f"--resume takes all options from the "
            "build that began; leave out what differs, or start over with --fresh."
        )
    if now["llm_config.model"] is None and recorded.get(SEATED) not in (None, "rules"):
        now["llm_config.model"] = recorded[SEATED]  # the key that chose it may have company now
    return _apply_settings(config, now)


def restore_running(config: BuildConfig, output_dir: Path | str) -> BuildConfig:
    """`config` with what holds a change in the negotiation that is under way: its bounds, its intent, its command, and
    who speaks there.

    That build may have been told otherwise than the settings say. Without one, and from a log of before options were
    kept, `config` as it is.
    """
    try:
        negotiation = NegotiationFolder(output_dir).find_unfinished()
        if negotiation is None or "asked" not in (negotiation.inspection.header or {}):
            return config
        opened = next(iter(LogReader(negotiation.path, EVENTS))).event
    except LogDamaged:
        return config
    asked = dict((negotiation.inspection.header or {})["asked"])
    assert isinstance(opened, NegotiationOpened)
    defaults = BuildConfig(config.root_package)
    return replace(
        config,
        safety_config=SafetyConfig(**opened.safety),
        intent=opened.settings.get("intent"),
        verify=asked.get("verify"),
        allow_unproved=list(asked.get("allow_unproved") or defaults.allow_unproved),
        llm_config=replace(
            config.llm_config or LLMConfig(),
            model=asked.get("llm_config.model") or asked.get(SEATED),
            models=dict(asked.get("llm_config.models") or {}),
        ),
    )


def _collect_settings(config: BuildConfig) -> dict[str, Any]:
    """Every setting that a negotiation depends on, by its dotted name, as plain JSON."""
    settings: dict[str, Any] = {}
    llm = config.llm_config if isinstance(config.llm_config, LLMConfig) else LLMConfig()
    for prefix, part in (("", config), ("llm_config.", llm), ("safety_config.", config.safety_config)):
        for config_field in fields(part):
            name = f"{prefix}{config_field.name}"
            if name in _OPTIONS and not _OPTIONS[name].of_this_run:
                value = getattr(part, config_field.name)
                settings[name] = _simplify(value)
    for name in ("include_modules", "exclude_modules", "refactoring_goals"):
        settings[name] = settings[name] or None  # an empty list says as little as none
    return settings


def _simplify(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return {str(k): _simplify(v) for k, v in value.items()}
    return [_simplify(item) for item in value] if isinstance(value, list | tuple) else value


def _apply_settings(config: BuildConfig, now: Mapping[str, Any]) -> BuildConfig:
    def select_part(prefix: str) -> dict[str, Any]:
        return {k.removeprefix(prefix): v for k, v in now.items() if k.startswith(prefix)}

    own = {k: v for k, v in now.items() if "." not in k and k != "root_package"}
    llm = replace(config.llm_config or LLMConfig(), **select_part("llm_config."))
    same = config.llm_config is None and llm == LLMConfig()
    return replace(
        config,
        **own,
        llm_config=None if same else llm,
        safety_config=replace(config.safety_config or SafetyConfig(), **select_part("safety_config.")),
        enable_agents=True,
    )


def _is_same(name: str, first: Any, second: Any) -> bool:
    if name == "root_package" and isinstance(first, str) and isinstance(second, str):
        return os.path.normpath(first) == os.path.normpath(second)
    return bool(first == second)


def _find_flag(name: str) -> str:
    return _OPTIONS[name].flag or name.rpartition(".")[2]


def _describe_value(value: Any, verb: str) -> str:
    if value is True:
        return f"{verb} given"
    if isinstance(value, Mapping) and value:
        return f"{verb} {', '.join(f'{k}={v}' for k, v in value.items())}"
    if value is None or value is False or value in ("", [], {}):
        return f"{verb} not given"
    return f"{verb} {', '.join(shlex.quote(str(v)) for v in (value if isinstance(value, list) else [value]))}"


# ---- what the files must be


def check_files(
    unfinished_negotiation: UnfinishedNegotiation, project: Project, state: Path | str, dry_run: bool = False
) -> None:
    """The sources must be as the negotiation and its own commits left them.

    A commit that landed and was not recorded yet is one of its own: its undo record below `state` tells. Raises
    UsageError for any other edit, also for a file that is new.
    """
    expected: dict[str, str] = dict(unfinished_negotiation.opened.files)
    open_: dict[str, None] = {}
    for fact in unfinished_negotiation.facts:
        if fact.kind == "proposal_tabled":
            open_[fact.to_dict()["proposal"]["proposal_id"]] = None
        elif fact.kind == "proposal_committed":
            commit_fact = fact.to_dict()
            open_.pop(commit_fact["proposal_id"], None)
            if not dry_run:
                expected.update(commit_fact["receipt"].get("after", {}))
    if dry_run:
        open_ = {}
    now = project.files
    unrecorded = _find_unrecorded(Path(state), project.root, list(open_), expected)
    complaints = [
        f"{path} was changed since" if path in now else f"{path} is gone"
        for path, digest in expected.items()
        if now.get(path) not in (digest, unrecorded.get(path, digest))
    ]
    # What a commit imports may be read now and was not then; what lies among the agents was read from the start.
    listed, _ = list_files(project.layout, project.include, project.exclude)
    complaints += [f"{path} is new" for path in listed if path not in expected]
    if complaints:
        raise UsageError(
            f"{unfinished_negotiation.kept.build_id} cannot be resumed: "
            f"{join_few(complaints, SHOWN, what='more files')}. A negotiation goes on "
            "over the sources that it knows: put them back as they were and resume, or keep your edit and start over "
            "with --fresh."
        )


def _find_unrecorded(state: Path, root: Path, proposals: Sequence[str], expected: Mapping[str, str]) -> dict[str, str]:
    """Path -> digest of what a commit wrote whose fact was lost with the process."""
    digests: dict[str, str] = {}
    for pid in proposals:
        _, record = find_newest_record(state, pid, locate_root(root, state))
        if record is None or record.get("undone"):
            continue
        texts = {path: (_hash_text(t["before"]), _hash_text(t["after"])) for path, t in record["files"].items()}
        if all(expected.get(path) == before for path, (before, _) in texts.items()):
            digests |= {path: after for path, (_, after) in texts.items()}
    return digests


def _hash_text(text: str) -> str:
    return hashlib.sha256(decode_base64(text)).hexdigest()
