"""Answers from a readable YAML file: the way to write a demo, a test or a bug report (`--model scripted:FILE`).

    default:                            # for every agent and question that nothing below speaks of
      evaluate: {decision: accept}
    agents:
      FetcherService:
        propose:                        # one entry a question, in order; or by `round`
          - round: 1
            proposals:
              - type: schema_extension
                summary: Add optional 'source'
                diff: [{op: add_field, method: fetch_headlines, side: output, field: source, type: str, optional: true}]
        evaluate:
          - {round: 1, from: CleanerService, decision: reject, reasoning: It breaks my callers}
        approve: {approve: true}        # one answer for every time

    answers:                            # short for what `decider` says to `choose` (`--answers FILE`)
      - {link: A.get => B.use, field: qty, choice: quantity}    # the name of a candidate, or none

An entry may say `round`, `from` (whose proposal it is), `about` (a part of its summary, or its id); among those
that fit, the first. Of entries that say none of these, the n-th answers the n-th question of its kind to that agent.
An entry of `choose` may say `link` and `field`; one under `answers` that says neither answers every question.
`silent: why` is not an answer; `attempts: [bad answer, good answer]` is what is said when asked again. Where nothing
fits, `default` is looked at in the same way; where that has nothing: no proposal, and else silence. Stateless: the
question alone tells which entry answers it, so a resumed build hears the same.

Consent negotiations ask for `position`, `turn` and `consent` in the same form (`script_seat`).
Answers are checked when the script is read (`script_check`), where it is known whose agents they speak of. Nonsense
that is meant stands under `raw: {…}`, which is said as it is; so are `attempts`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from graphbus_core.errors import ScenarioError
from graphbus_core.nearest import near_names
from graphbus_core.negotiation.core import Ask, Json, Participant, Reply, View
from graphbus_core.negotiation.proposal.said.config import DECIDER
from graphbus_core.participants.written.script_check import ANYBODY, CHECKED, fault

KINDS = (
    *("propose", "evaluate", "arbitrate", "approve"),
    *("draft_issues", "analysis", "turn", "write_final", "rule_issue"),  # of a document negotiation
    *("position", "consent"),  # of a consent negotiation, which has turns too
    "choose",  # what is meant, where nobody has evidence
)
_OLD_WORDS = {"advocates": "agents"}  # what scripts of consent negotiations said for it
_WHEN = ("round", "from", "about")
_OWN = (*_WHEN, "silent", "attempts", "raw")
_OF_CHOICES = ("link", "field")  # what tells one question of meaning from another


@dataclass(frozen=True)
class Line:
    """One scripted answer: when it is given, and what it says."""

    where: str  # file:line
    round: int | None
    proposer: str | None
    about: str | None
    attempts: tuple[Json | None, ...]  # one a time that the same question is asked
    silent: str | None = None
    link: str | None = None
    field: str | None = None
    always: bool = False

    @property
    def free(self) -> bool:
        """Whether it is taken in turn."""
        when = (self.round, self.proposer, self.about, self.link, self.field)
        return not self.always and all(one is None for one in when)

    def fits(self, ask: Ask) -> bool:
        """Whether it speaks of this question."""
        about = ask.about
        for said, asked in ((self.round, "round"), (self.link, "link"), (self.field, "field")):
            if said is not None and about.get(asked) != said:
                return False
        proposals = [about["proposal"] or {}] if "proposal" in about else list(about.get("proposals", ()))
        if self.proposer is not None and all(p.get("proposer") != self.proposer for p in proposals):
            return False
        return self.about is None or any(
            self.about == p.get("proposal_id") or self.about in p.get("summary", "") for p in proposals
        )

    def reply(self, attempt: int) -> Reply:
        """What it says when a question is put for the `attempt`-th time."""
        if self.silent is not None:
            return Reply(None, self.silent)
        body = self.attempts[min(attempt, len(self.attempts)) - 1]
        return Reply(None, f"{self.where}: says nothing") if body is None else Reply(body)


class ScriptedParticipant:
    """One seat that answers from a script. `lines`: kind of question -> its lines, or one line for every time.

    Each of `parts` is looked at in turn, the agent's own before the default.
    """

    def __init__(self, *parts: Mapping[str, Sequence[Line] | Line]) -> None:
        self._parts = parts
        self._seen: dict[str, list[str]] = {}  # kind -> questions, where the ask does not say which one it is

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The first line that speaks of this question, else the next in turn, else nothing."""
        _, _, attempt = ask.id.partition("#")
        number = int(attempt or 1)
        nth = self._nth(ask)
        for part in self._parts:
            line = _line_for(part.get(ask.kind, ()), ask, nth)
            if line is not None:
                return line.reply(number)
        return self._unsaid(ask)

    def _nth(self, ask: Ask) -> int:
        """Which of the questions of its kind it is, from 1."""
        base, seen = ask.id.partition("#")[0], self._seen.setdefault(ask.kind, [])
        if base not in seen:
            seen.append(base)
        return int(ask.about.get("nth") or seen.index(base) + 1)

    def _unsaid(self, ask: Ask) -> Reply:
        """What is said where no line speaks of a question."""
        return Reply({"proposals": []}) if ask.kind == "propose" else Reply(None, "the script says nothing to this")


def _line_for(lines: Sequence[Line] | Line, ask: Ask, nth: int) -> Line | None:
    if isinstance(lines, Line):
        return lines
    fitting = next((line for line in lines if not line.free and line.fits(ask)), None)
    free = [line for line in lines if line.free]
    return fitting or (free[nth - 1] if nth <= len(free) else None)


def scripted(path: Path | str, names: Iterable[str], known: Iterable[str] | None = None) -> dict[str, Participant]:
    """A participant for each of `names`, from a script. Raises ScenarioError with file and line.

    `known`: every agent of the project, where other names, and answers that are not answers, are to be refused.
    """
    known = None if known is None else list(known)
    script = read_script(path, known)
    names = list(names)
    if known is not None and (strangers := sorted(set(script.agents) - set(known) - {"human", DECIDER})):
        near = near_names(strangers[0], known, 3)
        raise ScenarioError(
            f"{path}:{script.places[strangers[0]]}: there is no agent {strangers[0]}; "
            f"{'the nearest are' if near else 'the agents are'} {', '.join(near or sorted(known))}."
        )
    return {name: ScriptedParticipant(script.agents.get(name, {}), script.default) for name in names}


def decider_of(path: Path | str) -> Participant:
    """Who says what is meant (`--answers FILE`). Raises ScenarioError, also where it does not say."""
    script = read_script(path)
    own = script.agents.get(DECIDER, {})
    if "choose" not in own and "choose" not in script.default:
        raise ScenarioError(
            f"{path}:1: it says nothing of meaning. Write `answers:`, each with link, field and choice."
        )
    return ScriptedParticipant(own, script.default)


@dataclass(frozen=True)
class WrittenScript:
    """A script as read."""

    agents: Mapping[str, Mapping[str, Sequence[Line] | Line]]
    default: Mapping[str, Sequence[Line] | Line]
    places: Mapping[str, int]  # agent -> line of the file


def read_script(path: Path | str, known: Collection[str] | None = None) -> WrittenScript:
    """Read and validate a script, its answers only where the agents are `known`. Raises ScenarioError with the line."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as e:
        raise ScenarioError(f"{path}: the script cannot be read ({e.strerror}). Check the path.") from None
    except UnicodeDecodeError as e:
        raise ScenarioError(f"{path}: the script is not UTF-8 ({e.reason} at byte {e.start}).") from None
    return script_of(text, path, known)


def script_of(text: str, path: Path | str, known: Collection[str] | None = None) -> WrittenScript:
    """The same for a text that was read; `path` names it in errors."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise ScenarioError(f"{path}{line}: this is not YAML: {getattr(e, 'problem', None) or e}.") from None
    if root is None:
        return WrittenScript({}, {}, {})
    return _Reader(Path(path), known).script(root)


class _Reader:
    """Walks the YAML nodes, because only they know their line."""

    def __init__(self, path: Path, known: Collection[str] | None) -> None:
        self.path = path
        self.known = known

    def script(self, root: yaml.Node) -> WrittenScript:
        for key, _ in self._pairs(root, "a script"):
            key.value = _OLD_WORDS.get(key.value, key.value)
        top = self._mapping(root, "a script", ("agents", "default", "answers"))
        agents: dict[str, Mapping[str, Sequence[Line] | Line]] = {}
        places: dict[str, int] = {}
        if "agents" in top:
            for key, node in self._pairs(top["agents"], "agents"):
                agents[key.value] = self._kinds(node, key.value)
                places[key.value] = key.start_mark.line + 1
        if "answers" in top:
            if DECIDER in agents or not isinstance(top["answers"], yaml.SequenceNode):
                self._fail(top["answers"], f"answers is a list, and stands for what {DECIDER} says to choose")
            lines = [self._line(item, "answers", "choose") for item in top["answers"].value]
            agents[DECIDER] = {"choose": [replace(line, always=line.free) for line in lines]}
            places[DECIDER] = top["answers"].start_mark.line
        default = self._kinds(top["default"], "default") if "default" in top else {}
        return WrittenScript(agents, default, places)

    def _kinds(self, node: yaml.Node, whose: str) -> dict[str, Sequence[Line] | Line]:
        made: dict[str, Sequence[Line] | Line] = {}
        for kind, lines in self._mapping(node, whose, None).items():
            if kind not in KINDS:
                self._fail(lines, f"{whose} has no question {kind!r}; the questions are {', '.join(KINDS)}")
            if isinstance(lines, yaml.SequenceNode):
                made[kind] = [self._line(item, whose, kind) for item in lines.value]
            else:
                line = self._line(lines, whose, kind)
                made[kind] = line if line.free else [line]
        return made

    def _line(self, node: yaml.Node, whose: str, kind: str) -> Line:
        what = f"{whose}.{kind}"
        where = f"{self.path}:{node.start_mark.line + 1}"
        if isinstance(node, yaml.ScalarNode) and self._value(node) is None:
            return Line(where, None, None, None, (None,))
        _as_text(node)
        said = self._value(node)
        if not isinstance(said, dict):
            self._fail(node, f"{what}: an answer is a mapping, not {said!r}")
        for key, type_ in _TYPES.items():
            if key in said and (not isinstance(said[key], type_) or isinstance(said[key], bool)):
                self._fail(node, f"{what}: {key} is {said[key]!r}; it is {_WORDS[type_]}")
        body = {k: v for k, v in said.items() if k not in (*_OWN, *(_OF_CHOICES if kind == "choose" else ()))}
        attempts = self._attempts(node, said, body, what)
        if body and self.known is not None and kind in CHECKED:
            author = ANYBODY if whose == "default" else whose
            if (found := fault(kind, node, said, author, self.known)) is not None:
                self._fail(found[0], f"{what}: {found[1].rstrip('.')}")
        when = (said.get("round"), said.get("from"), said.get("about"))
        if kind != "choose":
            return Line(where, *when, attempts, said.get("silent"))
        self._choice(node, body, what)
        return Line(where, *when, attempts, said.get("silent"), said.get("link"), said.get("field"))

    def _choice(self, node: yaml.Node, said: dict[str, Any], what: str) -> None:
        """An answer to what is meant; a key that is not known would be passed over in silence."""
        if said and not isinstance(said.get("choice"), str):
            self._fail(node, f"{what}: it has no `choice`; name a candidate, or write none")
        if unknown := [key for key in said if key not in ("choice", "reason")]:
            self._fail(node, f"{what}: it has {unknown[0]!r}; there are {', '.join(_OF_CHOICES)}, choice, reason")

    def _attempts(
        self, node: yaml.Node, said: dict[str, Any], body: dict[str, Any], what: str
    ) -> tuple[Json | None, ...]:
        """What is answered, one after the other; a script writes one form of it: the fields, `raw`, or `attempts`."""
        if "attempts" in said:
            if body:
                self._fail(node, f"{what}: the answers stand in attempts, not beside it ({', '.join(body)})")
            if not said["attempts"] or not all(a is None or isinstance(a, dict) for a in said["attempts"]):
                self._fail(node, f"{what}: attempts is a list of answers")
            return tuple(said["attempts"])
        if "raw" in said:
            if body or "silent" in said:
                self._fail(node, f"{what}: raw is the whole answer, nothing stands beside it")
            return (said["raw"],)
        if not body and "silent" not in said:
            self._fail(node, f"{what}: there is no answer; write one, or silent: why")
        return (body,)

    def _value(self, node: yaml.Node) -> Any:
        loader = yaml.SafeLoader("")
        try:
            return loader.construct_document(node)
        except yaml.YAMLError as e:
            self._fail(node, f"this cannot be read: {getattr(e, 'problem', None) or e}")
        finally:
            loader.dispose()

    def _mapping(self, node: yaml.Node, what: str, keys: tuple[str, ...] | None) -> dict[str, yaml.Node]:
        made: dict[str, yaml.Node] = {}
        for key, value in self._pairs(node, what):
            if keys is not None and key.value not in keys:
                self._fail(key, f"{what} takes {' and '.join(keys)}, not {key.value!r}")
            made[key.value] = value
        return made

    def _pairs(self, node: yaml.Node, what: str) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            self._fail(node, f"{what} is a mapping")
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._fail(key, f"{what}: a name is a text")
            if key.value in seen:
                self._fail(key, f"{what}: {key.value!r} stands here twice")
            seen.add(key.value)
        return list(node.value)

    def _fail(self, node: yaml.Node, what: str) -> Any:
        raise ScenarioError(f"{self.path}:{node.start_mark.line + 1}: {what}.")


def _as_text(node: yaml.Node) -> None:
    """Where a text is meant, a scalar is one as it is written: `reasoning: no` says no, and not false."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _as_text(item)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value in _TEXTS and isinstance(value, yaml.ScalarNode) and not value.tag.endswith(":null"):
                value.tag = "tag:yaml.org,2002:str"
            _as_text(value)


_TEXTS = frozenset(
    ("reasoning", "reason", "rationale", "summary", "title", "intent", "ruling", "silent", "description", "choice")
)
_TYPES = {
    "round": int,
    "from": str,
    "about": str,
    "silent": str,
    "link": str,
    "field": str,
    "attempts": list,
    "raw": dict,
}
_WORDS = {int: "a whole number", str: "a text", list: "a list", dict: "a mapping"}
