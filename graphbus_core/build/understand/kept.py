"""What each file showed in an earlier run, kept on the disk: after an edit only what may have changed is asked again.

An answer is believed where all of this holds, and is looked for anew where any does not:

    the seal        the file was written by this user on this machine (`files.seal`): an edited line is not an answer
    the stamp       the same GraphBus, Python, components with their methods, and the same list of files
    the digests     its own file, and every file whose facts were asked for on the way, have the same bytes
    the words       no file that changed calls a function of which it was asked who calls it
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

from graphbus_core.build.understand.ends import End, Flow, Showing, Unsure
from graphbus_core.build.understand.text.files import Reads, Texts
from graphbus_core.files.seal import seal_for, unsealed
from graphbus_core.files.whole import put_whole
from graphbus_core.model.agent_def import AgentDefinition

if TYPE_CHECKING:
    from graphbus_core.build.understand.index import Family

VERSION = 4
PURPOSE = "links cache"
Ends = dict[tuple[str, str, str], End]
FIELDS = [one.name for one in fields(Flow)]


@dataclass(slots=True)
class Answer:
    """What a file showed, its digest then, and what that rests on (`Reads`)."""

    digest: str
    reads: frozenset[str]
    showing: Showing
    line: str = field(default="", repr=False)  # as it stands on the disk


class Kept:
    """The answers of earlier runs for one project. Without a file nothing is kept.

    `family` tells a component's class and its bases.
    """

    def __init__(
        self,
        file: Path | None,
        texts: Texts,
        agents: Sequence[AgentDefinition],
        prefix: str,
        family: Callable[[AgentDefinition], Family],
    ) -> None:
        self._file, self._texts, self._agents, self._family = file, texts, agents, family
        self._stamp = _stamp(texts, agents, prefix) if file is not None else ""
        self._known: dict[str, Answer] = {}
        self._families: dict[str, Any] = {}  # agent -> what its family rests on, and the family
        self._digests: dict[str, str] = {}
        if file is not None:
            # All files and not those that are needed: what changed has to be known before anything is believed.
            self._digests = {path: sha256(texts.content(path)).hexdigest() for path in texts.paths}
            self._load(file)

    def showings(self, ask: Callable[[str], Showing]) -> list[Showing]:
        """What every file shows, in the order of their paths; asked where it is not known any more."""
        broken = self._broken()
        answers: dict[str, Answer] = {}
        for path in self._texts.paths:
            known = self._known.get(path)
            # Unknown, changed, or resting on something that did: the three reasons to ask again.
            if known is None or path in broken or not broken.isdisjoint(known.reads):
                self._texts.reads.begin()
                showing = ask(path)
                known = Answer(self._digests.get(path, ""), self._texts.reads.end() - {path}, showing)
            answers[path] = known
        # A run that asked nothing writes nothing: the common case of a build costs one read.
        if self._file is not None and not all(a.line for a in answers.values()):
            if _rests_on_families(answers):
                self._related(broken)
            self._save(self._file, answers)
        return [answer.showing for answer in answers.values()]

    def _broken(self) -> set[str]:
        """What no answer may rest on any more: files that changed, words that they call, families that are others."""
        changed = {p for p, digest in self._digests.items() if p in self._known and self._known[p].digest != digest}
        # A file that changed may call more than it did, so whoever asked "who calls this word" must ask again.
        called = {f"{Reads.ALWAYS}{w.decode()}" for path in changed for w in self._texts.called(path)}
        # `ALWAYS` alone marks what must never be kept.
        broken = {*changed, *called, Reads.ALWAYS}
        if _rests_on_families(self._known) and not self._related(broken):
            broken.add(Reads.FAMILIES)
        return broken

    def _related(self, broken: Set[str]) -> bool:
        """Whether every component's family is the one that was kept; from now on those of today are."""
        same = True
        for agent in self._agents:
            known = self._families.get(agent.name)
            if known is not None and broken.isdisjoint(known[0]):
                continue
            self._texts.reads.begin()
            family = [list(at) if at is not None else None for at in self._family(agent)]
            self._families[agent.name] = [sorted(self._texts.reads.end(told=False)), family]
            same = same and known is not None and known[1] == family
        return same

    # ---- the file

    def _load(self, file: Path) -> None:
        try:
            if (body := unsealed(file, PURPOSE)) is None:
                return
            stamp, families, *lines = body.decode("utf-8", "surrogatepass").split("\n")
            # Another stamp, and nothing of the file is looked at.
            if stamp == self._stamp:
                ends: Ends = {}
                self._known = dict(_answer(line, ends) for line in lines)
                self._families = json.loads(families)
        except (ValueError, TypeError):
            # A damaged file is a slow run, not an error.
            self._known, self._families = {}, {}

    def _save(self, file: Path, answers: Mapping[str, Answer]) -> None:
        seal = seal_for(PURPOSE)
        if seal is None:
            return
        lines = [self._stamp, json.dumps(self._families), *(a.line or _line(path, a) for path, a in answers.items())]
        with suppress(OSError):  # a folder that is only read: the next run asks again
            file.parent.mkdir(parents=True, exist_ok=True)
            put_whole(file, seal.put("\n".join(lines).encode("utf-8", "surrogatepass")))


def _rests_on_families(answers: Mapping[str, Answer]) -> bool:
    return any(Reads.FAMILIES in answer.reads for answer in answers.values())


def _stamp(texts: Texts, agents: Iterable[AgentDefinition], prefix: str) -> str:
    """What must be the same for any answer to hold."""
    from graphbus_core import __version__

    whole = sha256()
    for agent in agents:
        kind = agent.metadata.get("plain", "")  # a node, a plain class, the functions of a module
        named = (agent.name, kind, agent.source_file, agent.class_name, [m.name for m in agent.methods])
        whole.update(json.dumps(named).encode())
    whole.update("\0".join(texts.paths).encode("utf-8", "surrogatepass"))
    return f"graphbus links {VERSION} {__version__} {sys.version_info[:3]} {prefix!r} {whole.hexdigest()}"


def _line(path: str, answer: Answer) -> str:
    shown = answer.showing
    flows = [[_flow(one) for one in some] for some in (shown.flows, shown.through)]
    own = [[_end(a), _end(b), place] for a, b, place in shown.own]
    unsure = [[one.place, one.word, one.why] for one in shown.unsure]
    return json.dumps([path, answer.digest, sorted(answer.reads), *flows, own, unsure], separators=(",", ":"))


def _end(end: End) -> list[str]:
    return [end.component, end.method, end.side]


def _flow(one: Flow) -> list[object]:
    return [_end(value) if isinstance(value, End) else value for value in (getattr(one, name) for name in FIELDS)]


def _answer(line: str, ends: Ends) -> tuple[str, Answer]:
    path, digest, reads, flows, through, own, unsure = json.loads(line)
    showing = Showing(
        tuple(_read_flow(one, ends) for one in flows),
        tuple(_read_flow(one, ends) for one in through),
        tuple((_read_end(a, ends), _read_end(b, ends), place) for a, b, place in own),
        tuple(Unsure(*one) for one in unsure),
    )
    return path, Answer(digest, frozenset(reads), showing, line)


def _read_end(named: list[str], ends: Ends) -> End:
    key = (named[0], named[1], named[2])
    end = ends.get(key)
    if end is None:
        end = ends[key] = End(*key)
    return end


def _read_flow(told: list[Any], ends: Ends) -> Flow:
    source, source_keys, target, target_keys, place, exact, whole, beside, *rest = told
    keys, to, others = tuple(source_keys), tuple(target_keys), tuple(beside)
    return Flow(_read_end(source, ends), keys, _read_end(target, ends), to, place, exact, whole, others, *rest)
