"""What a proposal negotiation starts from. All of it stands in the first fact of the log, and can be read back."""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from graphbus_core.config import SafetyConfig
from graphbus_core.errors import ConfigError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import Link, Mismatch
from graphbus_core.negotiation.proposal.events import NegotiationOpened

PROTOCOL = "proposal/1"
EDITION = 5  # of the rules; a log keeps those that it was begun with (`consequences`)
HUMAN = "human"  # the seat that approves commits
DECIDER = "decider"  # the seat that says what is meant, where an agent has no evidence


@dataclass(frozen=True)
class ProposalConfig:
    """The project, its links, and the bounds.

    `agents` in the order of their activation. `files`: relative path -> digest as scanned; only compared, when an
    unfinished build is taken up again. `within_s`: how long an agent may take to answer; `approve_within_s`: how long
    a person may (None: for as long as it takes). `dry_run`: commits go to a copy that is thrown away.
    """

    agents: tuple[AgentDefinition, ...]
    links: tuple[Link, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    safety: SafetyConfig = field(default_factory=SafetyConfig)
    intent: str | None = None
    goals: tuple[str, ...] = ()
    human_in_loop: bool = False
    approver: str = HUMAN
    within_s: float | None = None
    approve_within_s: float | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    dry_run: bool = False
    around: Mapping[str, str] = field(default_factory=dict)  # agent -> the file around its class, in short
    only_mends: bool = False  # whether nobody here proposes anything but repairs: then it ends once every link fits
    edition: int = EDITION
    decides: bool = False  # whether somebody sits on the decider's seat; else questions of meaning stay open
    keeps_none: bool = False  # whether "none of them" is kept as an answer; older logs hold it as no answer
    proposed_by: Mapping[str, str] = field(default_factory=dict)  # agent -> the person whose proposal it tables

    @property
    def arbiters(self) -> tuple[str, ...]:
        """Every node with `IS_ARBITER`, in the order of `SafetyConfig.arbiter_agents`, then by name (design §6.13)."""
        all_arbiters = {a.name for a in self.agents if a.is_arbiter}
        preferred = [n for n in self.safety.arbiter_agents if n in all_arbiters]
        return tuple(dict.fromkeys([*preferred, *sorted(all_arbiters)]))

    def validate(self) -> None:
        """Raises ConfigError for an arbiter that is not one, or for two agents of one name."""
        names = [a.name for a in self.agents]
        if len(set(names)) != len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise ConfigError(f"two agents are called {twice}; every agent needs a name of its own.")
        arbiters = {a.name for a in self.agents if a.is_arbiter}
        for name in self.safety.arbiter_agents:
            if name not in arbiters:
                what = "has no IS_ARBITER = True" if name in names else "is not an agent of this project"
                hint = f"the arbiters are {', '.join(sorted(arbiters))}" if arbiters else "nobody here is an arbiter"
                raise ConfigError(f"arbiter_agents names {name}, which {what}; {hint}.")

    def build_opening(self) -> NegotiationOpened:
        """The first fact of the log."""
        agents = tuple(a.to_dict() for a in self.agents)
        return NegotiationOpened(
            protocol=PROTOCOL,
            agents=agents,
            links=tuple(link.to_dict() for link in self.links),
            mismatches=tuple(m.to_dict() for m in self.mismatches),
            files=dict(self.files),
            safety=asdict(self.safety),
            settings={
                "intent": self.intent,
                "goals": list(self.goals),
                "human_in_loop": self.human_in_loop,
                "approver": self.approver,
                "within_s": self.within_s,
                "approve_within_s": self.approve_within_s,
                **({"around": dict(self.around)} if self.around else {}),
                **({"dry_run": True} if self.dry_run else {}),  # said only where it is one: logs as they always were
                **({"decides": True} if self.decides else {}),
                **({"keeps_none": True} if self.keeps_none else {}),
                **({"only_mends": True} if self.only_mends else {}),
                **({"edition": self.edition} if self.edition > 1 else {}),
                **({"proposed_by": dict(self.proposed_by)} if self.proposed_by else {}),
            },
            arbiters=self.arbiters,
            start=compute_start_digest(self.agents),
        )

    @classmethod
    def from_opened(cls, fact: NegotiationOpened) -> ProposalConfig:
        """The start state as a log's first fact holds it."""
        settings = fact.settings
        return cls(
            agents=tuple(AgentDefinition.from_dict(a) for a in fact.agents),
            links=tuple(Link.from_dict(link) for link in fact.links),
            mismatches=tuple(Mismatch.from_dict(m) for m in fact.mismatches),
            safety=SafetyConfig(**fact.safety),
            intent=settings.get("intent"),
            goals=tuple(settings.get("goals") or ()),
            human_in_loop=settings.get("human_in_loop", False),
            approver=settings.get("approver", HUMAN),
            within_s=settings.get("within_s"),
            approve_within_s=settings.get("approve_within_s"),
            files=dict(fact.files),
            dry_run=bool(settings.get("dry_run")),
            around=dict(settings.get("around") or {}),
            decides=bool(settings.get("decides")),
            keeps_none=bool(settings.get("keeps_none")),
            only_mends=bool(settings.get("only_mends")),
            edition=int(settings.get("edition", 1)),
            proposed_by=dict(settings.get("proposed_by") or {}),
        )


def compute_start_digest(agents: tuple[AgentDefinition, ...]) -> str:
    """The digest of the agents that a negotiation starts with: same start, same ids of proposals (design §6)."""
    digest = hashlib.sha256()
    for agent in agents:
        identity = [agent.name, agent.source_file, agent.source_code]
        sides = [
            [m.name, *(s.json_schema if s else None for s in (m.input_schema, m.output_schema))] for m in agent.methods
        ]
        digest.update(json.dumps([identity, sides], sort_keys=True, default=list).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def normalize_json(value: Any) -> Any:
    """Plain JSON values, tuples as lists."""
    return json.loads(json.dumps(value))


# Which files `SafetyConfig.protected_files` protects. One reading, for the table and for the gates. Pure.
#
# | pattern | protects |
# |---|---|
# | `agents/clean.py`, `./agents//clean.py` | that file |
# | `agents/core`, `agents/core/` | everything in that folder |
# | `agents/*_api.py`, `**/clean.py` | what the glob matches; `*` also crosses folders, `**/` may stand for none |
# | `clean.py`, `*_api.py`, `core` (no `/`) | every file and folder of that name, wherever it is, as in `.gitignore` |
#
# Upper and lower case are one: on some disks they name the same file, and too much protection does no harm. Paths are
# relative to the project; `build.protected` makes them so.


def find_protecting_pattern(patterns: Iterable[str], path: str) -> str | None:
    """The first of `patterns` that protects `path`, or None."""
    return next((pattern for pattern in patterns if protects(pattern, path)), None)


def protects(pattern: str, path: str) -> bool:
    """Whether `pattern` protects the file at `path` (relative to the project, with `/`)."""
    # Normalised as the file system would do it: a pattern with `..` or doubled slashes must not miss its file.
    normalized = posixpath.normpath(pattern.replace("\\", "/")).casefold()
    if normalized == ".":
        return True  # the project itself
    parts = path.casefold().split("/")
    if "/" not in normalized:
        # A bare name means every file and folder of that name, because that is how people know it from .gitignore.
        return any(part == normalized or fnmatchcase(part, normalized) for part in parts)
    candidates = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]  # the file, and every folder that it is in
    return any(
        # `**/` may stand for no folder at all, which fnmatch does not know.
        candidate in (normalized, glob) or fnmatchcase(candidate, glob)
        for glob in (normalized, normalized.replace("**/", ""))
        for candidate in candidates
    )
