"""Whether a difference breaks a peer, and the payload that proves it.

A side breaks where a value is sent that is no longer taken. Of each difference that is asked of the one place alone,
with nothing else changed; the value found is then built into a whole payload, which the independent judge must see
accepted by the one version and rejected by the other. So a line never breaks where the versions fit.
"""

# Theory of operation
# -------------------
#
# Two versions of a contract are walked together (`joint`), and every place where they differ is one line. A reader
# wants to know of each line whether it breaks somebody, and wants to see the payload. Two easy answers are wrong.
#
#     rules of thumb    "a new required field breaks an input": not in a branch that nobody takes, nor where another
#                       layer of `allOf` required it already
#     the whole alone   "the versions do not fit": true, and of forty lines nobody learns which one to undo
#
# So each line is proved by itself. `View.replace_aspect` makes the schema that the old version would be if only this
# one aspect had changed. Then three things are asked of one value at once: the old sends it, the changed one refuses
# it, and the new version as it was written refuses it, too. Without the third a line could break in a schema that
# nobody ever
# wrote.
#
# The value found is of one place; people exchange whole payloads. `_build_payload` asks for a whole that holds the
# value at the end of the steps that lead there. In a union another branch may take that whole, and then the line breaks
# nobody:
# a second and a third value are tried before it is believed. Last, a judge that shares no code with the solver must
# see the one version accept and the other reject it. A fault of ours can therefore lose a line and never invent one.
#
# The whole is asked first. Where the versions fit on a side, no line can break it, and none is tried. Where they do
# not fit and no line breaks by itself, they break together, and that is said as a line of its own (`Together`).
#
# One solver serves all lines, because most of both versions is the same. What the two share is one object
# (`VersionPair`), so it is decided once, and "nothing changed here" is a question of identity.
#
# Steps are bounded for a line, for a side and for the run. A line that used them up is undecided, which counts as a
# break for whoever must be sure and is never printed as proven.

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.diff.versions import VersionPair
from graphbus_core.contracts.diff.walk import Difference, Step
from graphbus_core.contracts.inclusion import emptiness
from graphbus_core.contracts.inclusion.references import SchemaDocument
from graphbus_core.contracts.inclusion.regex import compile_pattern
from graphbus_core.contracts.inclusion.sampling import search
from graphbus_core.contracts.inclusion.shapes import Shapes
from graphbus_core.contracts.inclusion.solver import Solver
from graphbus_core.contracts.parsing import contract
from graphbus_core.contracts.parsing.json_schema import NEWEST
from graphbus_core.contracts.parsing.type_forms import TYPE_FORMATS
from graphbus_core.contracts.validation import judge
from graphbus_core.contracts.validation.formats import fill_in_examples
from graphbus_core.contracts.verdict import NOTHING, Budget, Inconclusive

INPUT, OUTPUT = "input", "output"
# Bounds on one run, shared by both sides. What is not decided within them is told as undecided, never as a yes.
WHOLE_STEPS = 400_000  # of a verdict about the whole, per side
LINE_STEPS = 40_000  # of one line, per side
ALL_STEPS = 1_500_000  # of one run
# The first value may be taken by another branch of a union. Three different ones seldom are.
VALUES = 3  # values of a place that are built into payloads
# Names that nobody declares; a proof about "any other field" needs one.
_NAMES = ("x", "y", "extra", "a1", "X-1")


@dataclass(frozen=True, slots=True)
class Answer:
    """`breaks` None: not decided. `payload` proves a True; NOTHING where none could be shown."""

    breaks: bool | None
    payload: Any = NOTHING
    why: str = ""


FITS = Answer(False)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What became of a goal: a value that proves something, whether there was any, and why it was given up."""

    proof: Any = NOTHING
    any: bool = False
    why: str = ""


class Prover:
    """One comparison: one solver, in which what both versions share is decided once."""

    def __init__(
        self, pair: VersionPair, raw: tuple[Any, Any], reading: str, steps: int = ALL_STEPS, *, live: bool = True
    ) -> None:
        self._pair, self._left, self._live = pair, steps, live
        is_link = reading == "link"
        names = frozenset[str]().union(*(contract.find_tagged_types(r, live=live) for r in raw if is_link))
        # Written as JSON a UUID is text, and not every text is one.
        self._formats = TYPE_FORMATS if is_link and not live else frozenset()
        self._marked = bool(names)
        self._images = contract.DocumentReadings(pair.root, reading, names)
        # References lead into a map that grows while parts are read.
        defs: Any = ChainMap(*self._images.definitions)
        # Parts are read while the proof goes on, so definitions have to be looked up and not copied.
        self._document = SchemaDocument({"$defs": defs}, NEWEST, Budget(steps))
        self._shapes = Shapes(Budget(WHOLE_STEPS), self._formats)
        self._document._budget = self._shapes.budget
        self._solver = Solver(self._shapes, self._formats)
        self._solver.glance.sent, self._solver.glance.taken = self._images.origins
        self._raw, self._reading = raw, reading
        self._judged: dict[str, tuple[Any, Any]] = {}  # by side; made for its first payload, as large as a version
        self._roots = {INPUT: (pair.old, pair.new), OUTPUT: (pair.new, pair.old)}
        # Ids are keys in the solver: what was made here must live as long as it does.
        self._kept: list[Any] = []
        self._definitions = defs
        self._glance = emptiness.Glance({"$defs": defs})
        self._empty: dict[int, str] = {}

    def prove_whole(self, side: str) -> Answer:
        """Whether the versions fit on a side, everything taken together."""
        sent_version, taken_version = self._roots[side]
        # The very same object, so nothing has to be proved.
        if sent_version is taken_version:
            return FITS
        goal = [
            self._register_schema(self._images.read_sent(sent_version)),
            self._register_schema(self._images.read_taken(taken_version)) ^ 1,
        ]
        tried = self._try_values(
            goal, WHOLE_STEPS, 8, lambda value: value if self._is_refutation(side, value) else NOTHING
        )
        if tried.proof is not NOTHING:
            return Answer(True, self._present_payload(side, tried.proof))
        # Nothing was found in its steps. Sampling is cheap, and may still show a payload.
        if tried.why and not tried.any:
            value = search(*self._raw, lambda v: self._is_refutation(side, v), tries=100)
            return Answer(None, why=tried.why) if value is NOTHING else Answer(True, self._present_payload(side, value))
        return Answer(True) if tried.any else FITS

    def prove_difference(self, difference: Difference, side: str) -> Answer:
        """Whether a difference breaks a side by itself."""
        mine, other = (difference.old, difference.new) if side == INPUT else (difference.new, difference.old)
        changed = mine.replace_aspect(other, difference.aspect)
        self._kept.append(changed)
        goal = [
            self._register_schema(self._images.read_sent(mine.schema)),
            self._register_schema(self._images.read_taken(changed)) ^ 1,
            # A value that the old took, that this one change refuses, and that the new as a whole refuses too: so the
            # line is true of the version that was written, and not only of an imagined one.
            self._register_schema(self._images.read_taken(other.schema)) ^ 1,
        ]
        unsure: list[str] = []

        def build_proof(value: Any) -> Any:
            whole = self._build_payload(difference.steps, value, side)
            if whole.why:
                unsure.append(whole.why)
            return whole.proof

        tried = self._try_values(goal, LINE_STEPS, VALUES, build_proof)
        if tried.proof is not NOTHING:
            return Answer(True, self._present_payload(side, tried.proof))
        why = tried.why or next(iter(unsure), "")
        return Answer(None, why=why) if why else FITS

    def explain_emptiness(self, schema: Any) -> str:
        """Why no value fulfils what is sent at a place; empty where one does, or where that was not decided."""
        if id(schema) not in self._empty:
            self._kept.append(schema)
            sent = self._images.read_sent(schema)
            is_empty = not self._glance.shows_value(sent, 0) and self._is_empty(sent)
            self._empty[id(schema)] = emptiness.explain(sent, {"$defs": self._definitions}) if is_empty else ""
        return self._empty[id(schema)]

    def _is_empty(self, sent: Any) -> bool:
        attempt = self._try_values([self._register_schema(sent)], LINE_STEPS, 1, lambda value: value)
        return not attempt.any and not attempt.why

    def _build_payload(self, steps: tuple[Step, ...], value: Any, side: str) -> _Attempt:
        """A whole payload that holds a value at the end of the steps, and proves the side."""
        if not steps:
            return _Attempt(value if self._is_refutation(side, value) else NOTHING)
        wrapped: Any = {"const": value}
        for step in reversed(steps):
            wrapped = _wrap_step(step, wrapped)
        self._kept.append(wrapped)
        sent_version, taken_version = self._roots[side]
        # Inside a union another branch may take the value; only a whole payload that is refused proves anything.
        whole = [
            self._register_schema(self._images.read_sent(sent_version)),
            self._register_schema(self._images.read_taken(taken_version)) ^ 1,
        ]
        goal = [*whole, self._register_schema(wrapped)]
        steps_left = self._shapes.budget.left
        attempt = self._try_values(goal, LINE_STEPS, 1, lambda v: v if self._is_refutation(side, v) else NOTHING)
        # The steps of a proof are not taken from the search for the next value.
        self._solver.recover(max(steps_left, 1_000))
        return attempt

    def _try_values(self, goal: list[int], steps: int, count: int, proof: Callable[[Any], Any]) -> _Attempt:
        """Values of a goal, until one proves something. None at all, and no `why`, is a proof that there are none."""
        allowed = min(steps, self._left)
        self._solver.recover(allowed)
        now, any_there, why = frozenset(goal), False, ""
        for _ in range(count):
            try:
                solution = self._solver.find(now)
            except Inconclusive as e:
                why = e.message
                break
            except RecursionError:
                why = "the schemas are nested too deeply to be decided"
                break
            if solution is None:
                break
            any_there = True
            proved = proof(solution[0])
            if proved is not NOTHING:
                return _Attempt(proved, True)
            # The same value again would prove nothing again.
            now = now | {self._shapes.register_constant(solution[0]) ^ 1}
        self._left -= allowed - max(self._shapes.budget.left, 0)
        return _Attempt(NOTHING, any_there, why)

    def _register_schema(self, schema: Any) -> int:
        self._kept.append(schema)  # its id stays its own
        self._shapes.budget.left = max(self._shapes.budget.left, 1_000)
        return self._shapes.register(schema, self._document)

    def _is_refutation(self, side: str, value: Any) -> bool:
        if side not in self._judged:
            sent_schema, taken_schema = self._raw if side == INPUT else reversed(self._raw)
            self._judged[side] = contract.read_documents(sent_schema, taken_schema, self._reading, live=self._live)
        sent_schema, taken_schema = self._judged[side]
        # The independent judge has the last word: a fault of the solver must not become a finding.
        return (
            judge.is_accepted(sent_schema, value, NEWEST, self._formats) is True
            and judge.is_accepted(taken_schema, value, NEWEST, self._formats) is False
        )

    def _present_payload(self, side: str, value: Any) -> Any:
        if value is NOTHING:
            return value
        sent = self._raw[0] if side == INPUT else self._raw[1]
        value = fill_in_examples(sent, value, lambda v: self._is_refutation(side, v))
        return contract.restore_samples(value) if self._marked else value


def _wrap_step(step: Step, inner: Any) -> Mapping[str, Any]:
    """The schema of a value that holds another at a step."""
    if step[0] == "prop":
        return {"type": "object", "required": [step[1]], "properties": {step[1]: inner}}
    if step[0] == "item":
        return {"type": "array", "minItems": 1, "prefixItems": [inner]}
    if step[0] == "at":
        return {"type": "array", "minItems": step[1] + 1, "prefixItems": [True] * step[1] + [inner]}
    if step[0] == "pattern":
        return {
            "type": "object",
            "minProperties": 1,
            "anyOf": [_require_property(n, inner) for n in _sample_matching_names(step[1])],
        }
    # A name that is declared, or that a pattern takes, is not one of "the others".
    names = [n for n in _NAMES if n not in step[1] and not any(compile_pattern(p).search(n) for p in step[2])]
    return {"type": "object", "anyOf": [_require_property(n, inner) for n in names]}


def _require_property(name: str, inner: Any) -> Mapping[str, Any]:
    return {"required": [name], "properties": {name: inner}}


def _sample_matching_names(pattern: str) -> list[str]:
    """Some names that a pattern takes."""
    solver = Solver(Shapes(Budget(LINE_STEPS)))
    try:
        document = SchemaDocument({}, NEWEST, solver.budget)
        solution = solver.find(frozenset([solver.shapes.register({"type": "string", "pattern": pattern}, document)]))
    except (Inconclusive, RecursionError):
        solution = None
    made_names = [] if solution is None else [str(solution[0])]
    return [*[n for n in _NAMES if compile_pattern(pattern).search(n)], *made_names]
