"""What a project does with its values, run in thought, as facts that can be held against those after a change.

A rename is right where the program does after it what it did before, but for the one name. It holds for every place
that a run comes to, tests and scripts among them:

    read      a key or an attribute that is read: whether it lies there, and where the value comes from
    give      a call of a component: what each of its fields is given, and whether Python takes the call
    compare   an assertion: what is held against what, and whether both have the same fields
    hand over code that is not of the project is given values: under which names

Of the first three a name counts as the other one, since that is what was agreed; whether something *lies* there is told
of the names as they are. What leaves the project keeps its names, or somebody out there no longer finds them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from graphbus_core.analysis.execution import expressions
from graphbus_core.analysis.execution.interpreter import Interpreter
from graphbus_core.analysis.execution.runs import ProgramRuns
from graphbus_core.analysis.execution.state import (
    BASE,
    MISSING,
    Arguments,
    Bound,
    Choice,
    Const,
    Fields,
    Function,
    Items,
    Ref,
    Unknown,
    Value,
    is_value,
    list_options,
)
from graphbus_core.model.agent_def import AgentDefinition

DEPTH = 4  # objects in objects that a fact tells of


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happens at a line. `about`: with one name for both; `says`: in words."""

    path: str
    line: int
    kind: str
    about: object
    says: str = field(compare=False)


@dataclass
class TracingRuns(ProgramRuns):
    """Runs that keep what they see. `same`: name -> the one that counts for it."""

    same: Mapping[str, str] = field(default_factory=dict)
    facts: dict[Fact, None] = field(default_factory=dict)

    def _add(self, run: Interpreter, kind: str, about: object, says: str) -> None:
        if run.frames:
            self.facts[Fact(run.frame.path, run.frame.line, kind, about, says)] = None

    def see_read(self, run: Interpreter, container: Value, key: object, result: Value) -> None:
        """A key or an attribute is read."""
        if isinstance(key, str):
            lies = "|".join(sorted({_find_presence(run, option, key) for option in list_options(container)}))
            says = f"'{key}' is read, which lies there: {lies}"
            self._add(run, "read", (self._rename(key), lies, self._describe(run, result, DEPTH)), says)

    def see_call(
        self, run: Interpreter, agent: AgentDefinition, method: str, given: dict[str, Value], taken: bool, number: int
    ) -> None:
        """A component is called."""
        about = frozenset((self._rename(name), self._describe(run, value, 0)) for name, value in given.items())
        says = f"{agent.name}.{method} is given {', '.join(given) or 'nothing'}"
        self._add(run, "give", (agent.name, method, taken, about), f"{says}, and Python takes it: {taken}")
        super().see_call(run, agent, method, given, taken, number)

    def see_assertion(self, run: Interpreter, values: list[Value], equal: bool) -> None:
        """Something is asserted."""
        shapes = [shape for value in values if (shape := self._list_names(run, value)) is not None]
        fits = len(values) == len(shapes) and len({frozenset(shape) for shape in shapes}) == 1
        about = tuple(self._describe(run, value, 0) for value in values)
        says = f"it is compared with what has {'the same' if fits else 'other'} fields"
        self._add(run, "compare", (equal, fits, about), says)
        super().see_assertion(run, values, equal)

    def see_outside(self, run: Interpreter, name: str, args: Arguments) -> None:
        """Values leave the project. Contracts are left out: they are what was renamed."""
        if name.startswith("graphbus_core."):
            return
        names = {name for value in args.list_values() for name in self._iter_all_names(run, value, 0)}
        if names := names | {*args.keywords}:
            says = f"{name or 'code outside'} is given {', '.join(sorted(names))}"
            self._add(run, "hand over", (name, frozenset(names)), says)

    # ---- values in words that two runs share

    def _rename(self, name: str) -> str:
        return self.same.get(name, name)

    def _describe(self, run: Interpreter, value: Value, depth: int) -> object:
        match value:
            case Choice(options=options):
                return frozenset(self._describe(run, option, depth) for option in options)
            case Const(value=literal, kind=kind):
                return kind, self._rename(literal) if isinstance(literal, str) else repr(literal)
            case Unknown(origins=origins):
                return "made of", frozenset((o.component, o.method, tuple(map(self._rename, o.keys))) for o in origins)
            case Ref(number=number):
                return self._describe_object(run, number, depth)
        return type(value).__name__

    def _describe_object(self, run: Interpreter, number: int, depth: int) -> object:
        thing = run.store.things[number]
        if thing.origin is not None:
            return thing.origin.component, thing.origin.method, tuple(map(self._rename, thing.origin.keys))
        content = run.store.inside(Ref(number)) if depth < DEPTH else None
        match content:
            case Items(values=values, rest=rest):
                parts = [v for v in (*values, rest) if v is not None]
                return thing.kind, tuple(self._describe(run, part, depth + 1) for part in parts)
            case Fields(fields=fields):
                return thing.kind, frozenset(
                    (self._rename(str(name)), self._describe(run, part, depth + 1)) for name, part in fields.items()
                )
        if thing.kind == "instance" and depth < DEPTH:
            return thing.kind, frozenset(
                (self._rename(name), self._describe(run, part, depth + 1))
                for name in run.store.list_names(number)
                if is_value(part := run.store.read(number, name))
            )
        return thing.kind

    def _list_names(self, run: Interpreter, value: Value) -> list[str] | None:
        """The names of the fields of something, as they are; of what a component gave by what its body gives."""
        if isinstance(value, Ref) and (origin := run.store.things[value.number].origin) is not None and not origin.keys:
            real = run.results.get(origin.number)
            value = real if real is not None else value
        keys = expressions.list_keys(run, value)
        return None if keys is None else [str(key) for key in keys]

    def _iter_all_names(self, run: Interpreter, value: Value, depth: int) -> Iterator[str]:
        for option in list_options(value) if depth < DEPTH else ():
            function = option.function if isinstance(option, Bound) else option
            if isinstance(function, Function):  # who is given a function may ask for its parameters, or give them
                node = function.node
                assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                yield from (a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
            if not isinstance(option, Ref):
                continue
            if run.store.things[option.number].kind == "class":
                members = (run.store.read(option.number, name) for name in run.store.list_names(option.number))
                for member in members:
                    yield from self._iter_all_names(run, member, depth + 1) if isinstance(member, Function) else ()
            match run.store.inside(option):
                case Items(values=values, rest=rest):
                    for part in (*values, rest):
                        yield from self._iter_all_names(run, part, depth + 1) if part is not None else ()
                case Fields(fields=fields, bases=bases):
                    for name, part in fields.items():
                        yield str(name)
                        yield from self._iter_all_names(run, part, depth + 1)
                    for base in bases:
                        yield from self.list_names(run, base) or ()


def _find_presence(run: Interpreter, container: Value, key: str) -> str:
    """Whether something lies under a key: yes, no, maybe; unknown where nobody tells."""
    if not isinstance(container, Ref):
        return "unknown"
    content = run.store.inside(container)
    if not isinstance(content, Fields):
        return "unknown"
    options = list_options(content.fields.get(key, BASE))
    if BASE in options and content.bases:
        names = [run.observer.list_names(run, base) if run.observer is not None else None for base in content.bases]
        return "unknown" if None in names else "yes" if any(key in (some or ()) for some in names) else "no"
    if BASE in options:
        return "no" if content.rest is None else "unknown"
    return "yes" if MISSING not in options else "no" if options == (MISSING,) else "maybe"


def find_differences(
    before: TracingRuns, after: TracingRuns, texts: Mapping[str, tuple[bytes, bytes]]
) -> Iterator[tuple[Fact | None, Fact | None]]:
    """The facts of one run that the other lacks: (as it was, as it is). `texts`: a file's text before and after.

    What an inserted line does is new. A line that was only changed is the same line.
    """
    lines = {path: _match_lines(*both, before.same) for path, both in texts.items()}
    moved = {
        Fact(f.path, lines[f.path].get(f.line, -f.line) if f.path in lines else f.line, f.kind, f.about, f.says): f
        for f in after.facts
    }
    lost = [fact for fact in before.facts if fact not in moved]
    new = [fact for place, fact in moved.items() if place not in before.facts]
    for fact in lost:
        now = next((f for f in new if (f.path, f.kind) == (fact.path, fact.kind)), None)
        yield fact, now
    if not lost:
        yield from ((None, fact) for fact in new)


def _match_lines(before: bytes, after: bytes, same: Mapping[str, str]) -> dict[int, int]:
    """Line after -> the same line before, up to the names."""

    def rename(word: re.Match[bytes]) -> bytes:
        return same.get(word[0].decode("latin-1"), "").encode() or word[0]

    old, new = (re.sub(rb"\w+", rename, text).splitlines() for text in (before, after))
    matched: dict[int, int] = {}
    for tag, start, end, to, until in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "replace" and end - start == until - to):
            matched.update(zip(range(to + 1, until + 1), range(start + 1, end + 1), strict=True))
    return matched
