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
that is meant stands under `raw: {…}`, which is given as it is; so are `attempts`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.core import Ask, Json, Participant, Reply, View
from graphbus_core.negotiation.proposal import answer_parsing
from graphbus_core.negotiation.proposal.config import DECIDER
from graphbus_core.suggestions import suggest_names

# Whether the answers of a script are answers, before anybody is asked: said with the place in the file.
#
# What a proposal, an evaluation, a ruling or an approval may hold is read by the negotiation's own forms; here are the
# keys that they know (a misspelled one would be passed over in silence), the names of agents, and which line is to
# blame.


_PROPOSAL = frozenset(
    """id proposal_id proposer src round type proposal_type diff code_change schema_change summary title rationale
    reason reasoning affected_agents dst confidence intent dependencies priority""".split()  # noqa: SIM905
)
_EVALUATION = frozenset(
    """proposal_id evaluator agent decision reasoning reason rationale confidence concerns suggestions counter_proposal
    impact_assessment""".split()  # noqa: SIM905
)
_RULING = frozenset(
    """arbiter proposal_id decision ruling reasoning reason confidence committed_diff deferred_proposals""".split()  # noqa: SIM905
)
_APPROVAL = frozenset(("approve", "reason", "reasoning"))
CHECKED = frozenset(("propose", "evaluate", "arbitrate", "approve"))
ANYBODY = "?"  # whose answer it is, where it stands under `default`

Fault = tuple[yaml.Node, str]


def find_fault(
    kind: str, node: yaml.Node, entry: Mapping[str, Any], author: str, agents: Collection[str]
) -> Fault | None:
    """The first thing that is wrong with an answer to a question of `kind`, and the node of the file that says it.

    `known`: the agents of the project. `author`: who gives the answer, or `ANYBODY`.
    """
    if "from" in entry and entry["from"] not in agents:
        return _find_value(node, "from"), _explain_unknown_agent(entry["from"], agents)
    body = {k: v for k, v in entry.items() if k not in ("round", "from", "about")}
    match kind:
        case "propose" if "proposals" in body:
            return (
                _check_keys(node, body, frozenset(("proposals",)), "an answer to propose")
                or _check_proposals(_find_value(node, "proposals"), body["proposals"], author, agents)
                or _check_readable(node, lambda: answer_parsing.read_proposals(body, author))
            )
        case "propose":
            return _check_proposal(node, body, author, agents)
        case "evaluate":
            return (
                _check_keys(node, body, _EVALUATION, "an evaluation")
                or _check_proposals(
                    _find_value(node, "counter_proposal"), [body.get("counter_proposal")], author, agents
                )
                or _check_readable(node, lambda: answer_parsing.read_evaluation(body, author))
            )
        case "arbitrate":
            stands = {"proposal_id": str(body.get("proposal_id") or "p"), "proposer": ANYBODY}
            return (
                _check_keys(node, body, _RULING, "a ruling")
                or _check_proposals(
                    _find_value(node, "deferred_proposals"), body.get("deferred_proposals"), ANYBODY, agents
                )
                or _check_readable(node, lambda: answer_parsing.read_ruling(body, [stands]))
                or _check_nodes(_find_value(node, "committed_diff"), body.get("committed_diff"), agents)
            )
        case "approve":
            return _check_keys(node, body, _APPROVAL, "an approval") or _check_readable(
                node, lambda: answer_parsing.read_approval(body)
            )
    return None


def _check_proposals(node: yaml.Node, proposals: Any, author: str, agents: Collection[str]) -> Fault | None:
    """The proposals among `given`; `node` is the list of them, or the one."""
    if not isinstance(proposals, list):
        return None  # the form says so
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
    for item_node, proposal in zip(nodes, proposals, strict=False):
        if (
            isinstance(proposal, Mapping)
            and (problem := _check_proposal(item_node, proposal, author, agents)) is not None
        ):
            return problem
    return None


def _check_proposal(node: yaml.Node, body: Mapping[str, Any], author: str, agents: Collection[str]) -> Fault | None:
    problem = (
        _check_keys(node, body, _PROPOSAL, "a proposal")
        or _check_operations(_find_value(node, "diff"), body.get("diff"), author, agents)
        or _check_readable(node, lambda: answer_parsing.read_proposal(body, author))
    )
    if problem is not None:
        return problem
    read = answer_parsing.read_proposal(body, author)
    for name in read["affected_agents"]:
        if name not in agents:
            return _find_value(node, "affected_agents", "dst"), _explain_unknown_agent(name, agents)
    return _check_nodes(_find_value(node, "diff", "code_change", "schema_change"), read["diff"], agents)


def _check_operations(node: yaml.Node, diff: Any, author: str, agents: Collection[str]) -> Fault | None:
    """The first operation of a diff that is not one, or is on nobody."""
    if isinstance(diff, list) and isinstance(node, yaml.SequenceNode):
        for item_node, part in zip(node.value, diff, strict=False):
            problem = _check_readable(item_node, lambda part=part: answer_parsing.read_diff([part], author))
            if problem := problem or _check_nodes(item_node, answer_parsing.read_diff([part], author), agents):
                return problem
    return None


def _check_nodes(node: yaml.Node, diff: Any, agents: Collection[str]) -> Fault | None:
    for op in diff if isinstance(diff, list) else ():
        name = op.get("node") if isinstance(op, Mapping) else None
        if name is not None and name != ANYBODY and name not in agents:
            return node, _explain_unknown_agent(name, agents)
    return None


def _check_keys(node: yaml.Node, body: Mapping[str, Any], allowed: frozenset[str], what: str) -> Fault | None:
    for key in body:
        if key not in allowed:
            near = suggest_names(str(key), sorted(allowed), 2, sure=True)
            hint = f"do you mean {' or '.join(near)}" if near else f"it takes {', '.join(sorted(allowed))}"
            return _find_key(node, key), f"{what} has no {key!r}; {hint}"
    return None


def _check_readable(node: yaml.Node, read: Any) -> Fault | None:
    """What the form says, with the line of the key that it begins with."""
    try:
        read()
    except answer_parsing.Unreadable as e:
        return _find_value(node, str(e).partition(" ")[0]), str(e)
    return None


def _explain_unknown_agent(name: Any, agents: Collection[str]) -> str:
    near = suggest_names(str(name), sorted(agents), 3)
    return (
        f"there is no agent {name}; {'the nearest are' if near else 'the agents are'} "
        f"{_join_names(near or sorted(agents))}"
    )


def _join_names(names: Iterable[str]) -> str:
    return ", ".join(list(names)[:20])


def _find_key(node: yaml.Node, key: Any) -> yaml.Node:
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next((k for k, _ in pairs if k.value == key), node)


def _find_value(node: yaml.Node, *keys: str) -> yaml.Node:
    """The value of the first of these keys that is there, else the mapping itself."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return next((v for key in keys for k, v in pairs if k.value == key), node)


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
class ScriptLine:
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
    def is_free(self) -> bool:
        """Whether it is taken in turn."""
        when = (self.round, self.proposer, self.about, self.link, self.field)
        return not self.always and all(condition is None for condition in when)

    def fits(self, ask: Ask) -> bool:
        """Whether it speaks of this question."""
        about = ask.about
        for expected, key in ((self.round, "round"), (self.link, "link"), (self.field, "field")):
            if expected is not None and about.get(key) != expected:
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

    def __init__(self, *parts: Mapping[str, Sequence[ScriptLine] | ScriptLine]) -> None:
        self._parts = parts
        self._seen: dict[str, list[str]] = {}  # kind -> questions, where the ask does not say which one it is

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The first line that speaks of this question, else the next in turn, else nothing."""
        _, _, attempt = ask.id.partition("#")
        number = int(attempt or 1)
        nth = self._count_question(ask)
        for part in self._parts:
            line = _find_line(part.get(ask.kind, ()), ask, nth)
            if line is not None:
                return line.reply(number)
        return self._reply_default(ask)

    def _count_question(self, ask: Ask) -> int:
        """Which of the questions of its kind it is, from 1."""
        base, questions = ask.id.partition("#")[0], self._seen.setdefault(ask.kind, [])
        if base not in questions:
            questions.append(base)
        return int(ask.about.get("nth") or questions.index(base) + 1)

    def _reply_default(self, ask: Ask) -> Reply:
        """What is said where no line speaks of a question: no script of before knew that a document is accepted by
        everybody, so one that says nothing of it accepts what another has written."""
        if ask.kind == "write_final" and ask.about.get("signed"):
            return Reply({"accept": ask.about["hash"]})
        return Reply({"proposals": []}) if ask.kind == "propose" else Reply(None, "the script says nothing to this")


def _find_line(lines: Sequence[ScriptLine] | ScriptLine, ask: Ask, nth: int) -> ScriptLine | None:
    if isinstance(lines, ScriptLine):
        return lines
    fitting = next((line for line in lines if not line.is_free and line.fits(ask)), None)
    free = [line for line in lines if line.is_free]
    return fitting or (free[nth - 1] if nth <= len(free) else None)


def seat_scripted(
    path: Path | str, names: Iterable[str], agents: Iterable[str] | None = None
) -> dict[str, Participant]:
    """A participant for each of `names`, from a script. Raises ScenarioError with file and line.

    `known`: every agent of the project, where other names, and answers that are not answers, are to be refused.
    """
    agents = None if agents is None else list(agents)
    script = read_script(path, agents)
    names = list(names)
    if agents is not None and (strangers := sorted(set(script.agents) - set(agents) - {"human", DECIDER})):
        near = suggest_names(strangers[0], agents, 3)
        raise ScenarioError(
            f"{path}:{script.places[strangers[0]]}: there is no agent {strangers[0]}; "
            f"{'the nearest are' if near else 'the agents are'} {', '.join(near or sorted(agents))}."
        )
    return {name: ScriptedParticipant(script.agents.get(name, {}), script.default) for name in names}


def seat_decider(path: Path | str) -> Participant:
    """Who says what is meant (`--answers FILE`). Raises ScenarioError, also where it does not say."""
    script = read_script(path)
    own = script.agents.get(DECIDER, {})
    if "choose" not in own and "choose" not in script.default:
        raise ScenarioError(
            f"{path}:1: it says nothing of meaning. Write `answers:`, each with link, field and choice."
        )
    return ScriptedParticipant(own, script.default)


@dataclass(frozen=True)
class ParsedScript:
    """A script as read."""

    agents: Mapping[str, Mapping[str, Sequence[ScriptLine] | ScriptLine]]
    default: Mapping[str, Sequence[ScriptLine] | ScriptLine]
    places: Mapping[str, int]  # agent -> line of the file


def read_script(path: Path | str, agents: Collection[str] | None = None) -> ParsedScript:
    """Read and validate a script, its answers only where the agents are `known`. Raises ScenarioError with the line."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as e:
        raise ScenarioError(f"{path}: the script cannot be read ({e.strerror}). Check the path.") from None
    except UnicodeDecodeError as e:
        raise ScenarioError(f"{path}: the script is not UTF-8 ({e.reason} at byte {e.start}).") from None
    return parse_script(text, path, agents)


def parse_script(text: str, path: Path | str, agents: Collection[str] | None = None) -> ParsedScript:
    """The same for a text that was read; `path` names it in errors."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as e:
        mark = getattr(e, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise ScenarioError(f"{path}{line}: this is not YAML: {getattr(e, 'problem', None) or e}.") from None
    if root is None:
        return ParsedScript({}, {}, {})
    return _Reader(Path(path), agents).read_script(root)


class _Reader:
    """Walks the YAML nodes, because only they know their line."""

    def __init__(self, path: Path, agents: Collection[str] | None) -> None:
        self.path = path
        self.known = agents

    def read_script(self, root: yaml.Node) -> ParsedScript:
        for key, _ in self._read_pairs(root, "a script"):
            key.value = _OLD_WORDS.get(key.value, key.value)
        top = self._read_mapping(root, "a script", ("agents", "default", "answers"))
        agents: dict[str, Mapping[str, Sequence[ScriptLine] | ScriptLine]] = {}
        places: dict[str, int] = {}
        if "agents" in top:
            for key, node in self._read_pairs(top["agents"], "agents"):
                agents[key.value] = self._read_kinds(node, key.value)
                places[key.value] = key.start_mark.line + 1
        if "answers" in top:
            if DECIDER in agents or not isinstance(top["answers"], yaml.SequenceNode):
                self._fail(top["answers"], f"answers is a list, and stands for what {DECIDER} says to choose")
            lines = [self._read_line(item, "answers", "choose") for item in top["answers"].value]
            agents[DECIDER] = {"choose": [replace(line, always=line.is_free) for line in lines]}
            places[DECIDER] = top["answers"].start_mark.line
        default = self._read_kinds(top["default"], "default") if "default" in top else {}
        return ParsedScript(agents, default, places)

    def _read_kinds(self, node: yaml.Node, whose: str) -> dict[str, Sequence[ScriptLine] | ScriptLine]:
        by_kind: dict[str, Sequence[ScriptLine] | ScriptLine] = {}
        for kind, lines in self._read_mapping(node, whose, None).items():
            if kind not in KINDS:
                self._fail(lines, f"{whose} has no question {kind!r}; the questions are {', '.join(KINDS)}")
            if isinstance(lines, yaml.SequenceNode):
                by_kind[kind] = [self._read_line(item, whose, kind) for item in lines.value]
            else:
                line = self._read_line(lines, whose, kind)
                by_kind[kind] = line if line.is_free else [line]
        return by_kind

    def _read_line(self, node: yaml.Node, whose: str, kind: str) -> ScriptLine:
        what = f"{whose}.{kind}"
        where = f"{self.path}:{node.start_mark.line + 1}"
        if isinstance(node, yaml.ScalarNode) and self._read_value(node) is None:
            return ScriptLine(where, None, None, None, (None,))
        _force_text(node)
        entry = self._read_value(node)
        if not isinstance(entry, dict):
            self._fail(node, f"{what}: an answer is a mapping, not {entry!r}")
        for key, type_ in _TYPES.items():
            if key in entry and (not isinstance(entry[key], type_) or isinstance(entry[key], bool)):
                self._fail(node, f"{what}: {key} is {entry[key]!r}; it is {_WORDS[type_]}")
        body = {k: v for k, v in entry.items() if k not in (*_OWN, *(_OF_CHOICES if kind == "choose" else ()))}
        attempts = self._read_attempts(node, entry, body, what)
        if body and self.known is not None and kind in CHECKED:
            author = ANYBODY if whose == "default" else whose
            if (problem := find_fault(kind, node, entry, author, self.known)) is not None:
                self._fail(problem[0], f"{what}: {problem[1].rstrip('.')}")
        when = (entry.get("round"), entry.get("from"), entry.get("about"))
        if kind != "choose":
            return ScriptLine(where, *when, attempts, entry.get("silent"))
        self._check_choice(node, body, what)
        return ScriptLine(where, *when, attempts, entry.get("silent"), entry.get("link"), entry.get("field"))

    def _check_choice(self, node: yaml.Node, entry: dict[str, Any], what: str) -> None:
        """An answer to what is meant; a key that is not known would be passed over in silence."""
        if entry and not isinstance(entry.get("choice"), str):
            self._fail(node, f"{what}: it has no `choice`; name a candidate, or write none")
        if unknown := [key for key in entry if key not in ("choice", "reason")]:
            self._fail(node, f"{what}: it has {unknown[0]!r}; there are {', '.join(_OF_CHOICES)}, choice, reason")

    def _read_attempts(
        self, node: yaml.Node, entry: dict[str, Any], body: dict[str, Any], what: str
    ) -> tuple[Json | None, ...]:
        """What is answered, one after the other; a script writes one form of it: the fields, `raw`, or `attempts`."""
        if "attempts" in entry:
            if body:
                self._fail(node, f"{what}: the answers stand in attempts, not beside it ({', '.join(body)})")
            if not entry["attempts"] or not all(a is None or isinstance(a, dict) for a in entry["attempts"]):
                self._fail(node, f"{what}: attempts is a list of answers")
            return tuple(entry["attempts"])
        if "raw" in entry:
            if body or "silent" in entry:
                self._fail(node, f"{what}: raw is the whole answer, nothing stands beside it")
            return (entry["raw"],)
        if not body and "silent" not in entry:
            self._fail(node, f"{what}: there is no answer; write one, or silent: why")
        return (body,)

    def _read_value(self, node: yaml.Node) -> Any:
        loader = yaml.SafeLoader("")
        try:
            return loader.construct_document(node)
        except yaml.YAMLError as e:
            self._fail(node, f"this cannot be read: {getattr(e, 'problem', None) or e}")
        finally:
            loader.dispose()

    def _read_mapping(self, node: yaml.Node, what: str, keys: tuple[str, ...] | None) -> dict[str, yaml.Node]:
        mapping: dict[str, yaml.Node] = {}
        for key, value in self._read_pairs(node, what):
            if keys is not None and key.value not in keys:
                self._fail(key, f"{what} takes {' and '.join(keys)}, not {key.value!r}")
            mapping[key.value] = value
        return mapping

    def _read_pairs(self, node: yaml.Node, what: str) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
        if not isinstance(node, yaml.MappingNode):
            self._fail(node, f"{what} is a mapping")
        names: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._fail(key, f"{what}: a name is a text")
            if key.value in names:
                self._fail(key, f"{what}: {key.value!r} stands here twice")
            names.add(key.value)
        return list(node.value)

    def _fail(self, node: yaml.Node, what: str) -> Any:
        raise ScenarioError(f"{self.path}:{node.start_mark.line + 1}: {what}.")


def _force_text(node: yaml.Node) -> None:
    """Where a text is meant, a scalar is one as it is written: `reasoning: no` says no, and not false."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _force_text(item)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value in _TEXTS and isinstance(value, yaml.ScalarNode) and not value.tag.endswith(":null"):
                value.tag = "tag:yaml.org,2002:str"
            _force_text(value)


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
