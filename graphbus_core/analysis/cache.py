"""What each file showed in an earlier run, kept on the disk: after an edit only what may have changed is asked again.

An answer is believed where all of this holds, and is looked for anew where any does not:

    the seal        the file was written by this user on this machine (`files.seal`): an edited line is not an answer
    the stamp       the same GraphBus, Python, components with their methods, and the same list of files
    the digests     its own file, and every file whose facts were asked for on the way, have the same bytes
    the words       no file that changed calls a function of which it was asked who calls it
    the imports     what connects a file to the agents is as it was (`Connections`)
    the families    the components' base classes are the same, where any answer rested on all of them

What depended on the order of questions (a circle, a bound that was met) is never kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.analysis.connections import Connections
from graphbus_core.analysis.files import ProjectFiles, ReadTracker
from graphbus_core.analysis.flow_types import End, FileFlows, Flow, UnsureCall
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.signing import derive_seal, read_sealed_file

if TYPE_CHECKING:
    from graphbus_core.analysis.index import Family

VERSION = 6
PURPOSE = "links cache"
Ends = dict[tuple[str, str, str], End]
FIELDS = [one.name for one in fields(Flow)]


@dataclass(slots=True)
class CachedAnswer:
    """What a file showed, its digest then, and what that rests on (`ReadTracker`).

    `imports` and the `rate` of the file: see `Connections`.
    """

    digest: str
    imports: Sequence[str]
    rate: int
    reads: frozenset[str]
    showing: FileFlows
    line: str = field(default="", repr=False)  # as it stands on the disk


class FlowCache:
    """The answers of earlier runs for one project. Without a file nothing is kept.

    `family` tells a component's class and its bases.
    """

    def __init__(
        self,
        file: Path | None,
        texts: ProjectFiles,
        agents: Sequence[AgentDefinition],
        prefix: str,
        family: Callable[[AgentDefinition], Family],
        connections: Connections | None = None,
    ) -> None:
        self._connections = connections
        self._file, self._texts, self._agents, self._family = file, texts, agents, family
        self._stamp = _stamp(texts, agents, prefix) if file is not None else ""
        self._known: dict[str, CachedAnswer] = {}
        self._families: dict[str, Any] = {}  # agent -> what its family rests on, and the family
        self._digests: dict[str, str] = {}
        if file is not None:
            # All files and not those that are needed: what changed has to be known before anything is believed.
            self._digests = {path: sha256(texts.read_content(path)).hexdigest() for path in texts.paths}
            self._load(file)

    def collect(self, ask: Callable[[str], FileFlows]) -> list[FileFlows]:
        """What every file shows, in the order of their paths; asked where it is not known any more."""
        broken = self._find_broken()
        answers: dict[str, CachedAnswer] = {}
        for path in self._texts.paths:
            cached = self._known.get(path)
            # Unknown, changed, or resting on something that did: the three reasons to ask again.
            if cached is None or path in broken or not broken.isdisjoint(cached.reads):
                self._texts.reads.begin()
                showing = ask(path)
                reads = self._texts.reads.end() - {path}
                cached = CachedAnswer(self._digests.get(path, ""), *self._describe(path), reads, showing)
            answers[path] = cached
        # A run that asked nothing writes nothing: the common case of a build costs one read.
        if self._file is not None and not all(a.line for a in answers.values()):
            if _rests_on_families(answers):
                self._refresh_families(broken)
            self._save(self._file, answers)
        return [answer.showing for answer in answers.values()]

    def _find_broken(self) -> set[str]:
        """What no answer may rest on any more: files that changed, words that they call, families that are others."""
        changed = {p for p, digest in self._digests.items() if p in self._known and self._known[p].digest != digest}
        if changed and self._connections is not None:
            # A file that another's import connects, or connects no more, counts as changed itself.
            self._connections.known.update({p: a.imports for p, a in self._known.items() if p not in changed})
            changed |= {p for p, answer in self._known.items() if answer.rate != self._connections.rate(p)}
        # A file that changed may call more than it did, so whoever asked "who calls this word" must ask again.
        called_words = {
            f"{ReadTracker.ALWAYS}{w.decode()}" for path in changed for w in self._texts.find_called_words(path)
        }
        # `ALWAYS` alone marks what must never be kept.
        broken = {*changed, *called_words, ReadTracker.ALWAYS}
        if _rests_on_families(self._known) and not self._refresh_families(broken):
            broken.add(ReadTracker.FAMILIES)
        return broken

    def _describe(self, path: str) -> tuple[Sequence[str], int]:
        """What a file imports, and how it is connected; nothing where nothing is kept."""
        if self._file is None or self._connections is None:
            return (), 0
        return self._connections.list_imports(path), self._connections.rate(path)

    def _refresh_families(self, broken: Set[str]) -> bool:
        """Whether every component's family is the one that was kept; from now on those of today are."""
        same = True
        for agent in self._agents:
            cached = self._families.get(agent.name)
            if cached is not None and broken.isdisjoint(cached[0]):
                continue
            self._texts.reads.begin()
            family = [list(class_key) if class_key is not None else None for class_key in self._family(agent)]
            self._families[agent.name] = [sorted(self._texts.reads.end(passes_on=False)), family]
            same = same and cached is not None and cached[1] == family
        return same

    # ---- the file

    def _load(self, file: Path) -> None:
        try:
            if (body := read_sealed_file(file, PURPOSE)) is None:
                return
            stamp, families, *lines = body.decode("utf-8", "surrogatepass").split("\n")
            # Another stamp, and nothing of the file is looked at.
            if stamp == self._stamp:
                ends: Ends = {}
                self._known = dict(_parse_answer(line, ends) for line in lines)
                self._families = json.loads(families)
        except (ValueError, TypeError):
            # A damaged file is a slow run, not an error.
            self._known, self._families = {}, {}

    def _save(self, file: Path, answers: Mapping[str, CachedAnswer]) -> None:
        seal = derive_seal(PURPOSE)
        if seal is None:
            return
        lines = [
            self._stamp,
            json.dumps(self._families),
            *(a.line or _render_answer(path, a) for path, a in answers.items()),
        ]
        with suppress(OSError):  # a folder that is only read: the next run asks again
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(file, seal.wrap("\n".join(lines).encode("utf-8", "surrogatepass")))


def _rests_on_families(answers: Mapping[str, CachedAnswer]) -> bool:
    return any(ReadTracker.FAMILIES in answer.reads for answer in answers.values())


def _stamp(texts: ProjectFiles, agents: Iterable[AgentDefinition], prefix: str) -> str:
    """What must be the same for any answer to hold."""
    from graphbus_core import __version__

    whole = sha256()
    for agent in agents:
        kind = agent.metadata.get("plain", "")  # a node, a plain class, the functions of a module
        description = (agent.name, kind, agent.source_file, agent.class_name, [m.name for m in agent.methods])
        whole.update(json.dumps(description).encode())
    whole.update("\0".join(texts.paths).encode("utf-8", "surrogatepass"))
    return f"graphbus links {VERSION} {__version__} {sys.version_info[:3]} {prefix!r} {whole.hexdigest()}"


def _render_answer(path: str, answer: CachedAnswer) -> str:
    file_flows = answer.showing
    flows = [[_render_flow(item) for item in some] for some in (file_flows.flows, file_flows.through)]
    own = [[_render_end(a), _render_end(b), place] for a, b, place in file_flows.own]
    unsure = [[item.place, item.word, item.why] for item in file_flows.unsure]
    head = [path, answer.digest, answer.imports, answer.rate, sorted(answer.reads)]
    return json.dumps([*head, *flows, own, unsure], separators=(",", ":"))


def _render_end(end: End) -> list[str]:
    return [end.component, end.method, end.side]


def _render_flow(flow: Flow) -> list[object]:
    return [
        _render_end(value) if isinstance(value, End) else value for value in (getattr(flow, name) for name in FIELDS)
    ]


def _parse_answer(line: str, ends: Ends) -> tuple[str, CachedAnswer]:
    path, digest, imports, rate, reads, flows, through, own, unsure = json.loads(line)
    showing = FileFlows(
        tuple(_parse_flow(item, ends) for item in flows),
        tuple(_parse_flow(item, ends) for item in through),
        tuple((_parse_end(a, ends), _parse_end(b, ends), place) for a, b, place in own),
        tuple(UnsureCall(*item) for item in unsure),
    )
    return path, CachedAnswer(digest, imports, rate, frozenset(reads), showing, line)


def _parse_end(parts: list[str], ends: Ends) -> End:
    key = (parts[0], parts[1], parts[2])
    end = ends.get(key)
    if end is None:
        end = ends[key] = End(*key)
    return end


def _parse_flow(parts: list[Any], ends: Ends) -> Flow:
    source, source_keys, target, target_keys, place, exact, whole, beside, *rest = parts
    keys, to, others = tuple(source_keys), tuple(target_keys), tuple(beside)
    return Flow(_parse_end(source, ends), keys, _parse_end(target, ends), to, place, exact, whole, others, *rest)
