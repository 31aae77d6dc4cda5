"""What a project does with its values when it is interpreted, as facts that can be held against those after a change.

A rename is right where the program does after it what it did before, but for the one name. It holds for every place
that a run comes to, tests and scripts among them:

    read      a key or an attribute that is read: whether it lies there, and where the value comes from
    give      a call of a component that Python takes: what each of its fields is given
    compare   an assertion: what is held against what, and whether both have the same fields
    publish   a component sends an event: which fields it has, and where their values come from
    hand over code that is not of the project is given values: under which names

Of the first three a name counts as the other one, since that is what was agreed; whether something *lies* there is told
of the names as they are. An event has the fields that it had, but for those of this very topic that were renamed. What
leaves the project keeps its names, or somebody out there no longer finds them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from graphbus_core.analysis.execution import contents
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
    Publication,
    Ref,
    Unknown,
    Value,
    is_value,
    list_options,
)
from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.model.agent_def import AgentDefinition

HAND_OVER = "hand over"
PUBLISH = "publish"
DEPTH = 4  # objects in objects that a fact tells of


Path = tuple[str, ...]  # of a field: `lines[].price` is lines, [], price
# Component and topic -> each renamed field of its payload, and the last step that its path has now; in order.
PublishedRenames = Mapping[tuple[str, str], Sequence[tuple[Path, str]]]

PRESENCE = {"yes": "is there", "no": "is not there"}  # else nobody tells


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that happens at a line. `about`: what, in texts, tuples and sets of them; `says`: in words."""

    path: str
    line: int
    kind: str
    about: object
    says: str = field(compare=False)


@dataclass
class TracingRuns(ProgramRuns):
    """Runs that keep what they see."""

    facts: dict[Fact, None] = field(default_factory=dict)
    # Calls that Python would not take: path, line, component, method. One line may call several.
    refused: set[tuple[str, int, str, str]] = field(default_factory=set)

    def _add(self, run: Interpreter, kind: str, about: object, says: str) -> None:
        if run.frames:
            self.facts[Fact(run.frame.path, run.frame.line, kind, about, says)] = None

    def see_read(self, run: Interpreter, container: Value, key: object, result: Value) -> None:
        """A key or an attribute is read."""
        if isinstance(key, str):
            lies = "|".join(sorted({_find_presence(run, option, key) for option in list_options(container)}))
            says = f"'{key}' is read, and {PRESENCE.get(lies, 'may be there')}"
            self._add(run, "read", (key, lies, self._describe(run, result, DEPTH)), says)

    def see_call(
        self, run: Interpreter, agent: AgentDefinition, method: str, given: dict[str, Value], taken: bool, number: int
    ) -> None:
        """A component is called. A call that Python would not take does nothing, but it may come to be taken."""
        if taken:
            about = frozenset((name, self._describe(run, value, 0)) for name, value in given.items())
            says = f"{agent.name}.{method} is given {', '.join(given) or 'nothing'}, and Python takes it"
            self._add(run, "give", (agent.name, method, about), says)
        elif run.frames:
            self.refused.add((run.frame.path, run.frame.line, agent.name, method))
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
            self._add(run, HAND_OVER, (name, frozenset(names)), says)

    def see_publication(self, run: Interpreter, publication: Publication) -> None:
        """A component sends an event: its fields are those of a contract, which a rename may say it changes."""
        options = [frozenset(self._iter_fields(run, o, (), 0)) for o in list_options(publication.payload)]
        names = sorted(
            {
                ".".join(path).replace(".[]", "[]")
                for option in options
                for path, _ in option
                if path and path[-1] != "[]"
            }
        )
        says = f"{publication.component} publishes {', '.join(names) or 'nothing'} to {publication.topic}"
        self._add(run, PUBLISH, (publication.component, publication.topic, frozenset(options)), says)

    def _iter_fields(self, run: Interpreter, value: Value, path: Path, depth: int) -> Iterator[tuple[Path, object]]:
        """Every field of an event by its path, with where its value comes from."""
        for option in list_options(value):
            content = run.store.inside(option) if isinstance(option, Ref) and depth < DEPTH else None
            if content is not None:
                yield path, type(content).__name__  # an empty one is a field as well
            if isinstance(content, Items):
                for part in (*content.values, *([content.rest] if content.rest is not None else [])):
                    yield from self._iter_fields(run, part, (*path, "[]"), depth + 1)
            elif isinstance(content, Fields):
                for name, part in content.fields.items():
                    yield from self._iter_fields(run, part, (*path, str(name)), depth + 1)
                for base in content.bases:
                    yield (*path, "*"), self._describe(run, Ref(base), DEPTH)
                    yield from (((*path, name), "") for name in self.list_names(run, base) or ())
                if content.rest is not None:
                    yield (*path, "*"), self._describe(run, content.rest, DEPTH)
            elif isinstance(option, Ref) and run.store.things[option.number].kind == "instance" and depth < DEPTH:
                for name in run.store.list_names(option.number):
                    if is_value(attribute := run.store.read(option.number, name)):
                        yield from self._iter_fields(run, attribute, (*path, name), depth + 1)
            else:
                yield path, self._describe(run, option, DEPTH)

    # ---- values in words that two runs share

    def _describe(self, run: Interpreter, value: Value, depth: int) -> object:
        match value:
            case Choice(options=options):
                return frozenset(self._describe(run, option, depth) for option in options)
            case Const(value=literal, kind=kind):
                return kind, literal if isinstance(literal, str) else repr(literal)
            case Unknown(origins=origins):
                return "made of", frozenset((o.component, o.method, o.keys) for o in origins)
            case Ref(number=number):
                return self._describe_object(run, number, depth)
        return type(value).__name__

    def _describe_object(self, run: Interpreter, number: int, depth: int) -> object:
        thing = run.store.things[number]
        if thing.origin is not None:
            return thing.origin.component, thing.origin.method, thing.origin.keys
        content = run.store.inside(Ref(number)) if depth < DEPTH else None
        match content:
            case Items(values=values, rest=rest):
                parts = [v for v in (*values, rest) if v is not None]
                return thing.kind, tuple(self._describe(run, part, depth + 1) for part in parts)
            case Fields(fields=fields):
                return thing.kind, frozenset(
                    (str(name), self._describe(run, part, depth + 1)) for name, part in fields.items()
                )
        if thing.kind == "instance" and depth < DEPTH:
            return thing.kind, frozenset(
                (name, self._describe(run, part, depth + 1))
                for name in run.store.list_names(number)
                if is_value(part := run.store.read(number, name))
            )
        return thing.kind

    def _list_names(self, run: Interpreter, value: Value) -> list[str] | None:
        """The names of the fields of something, as they are; of what a component gave by what its body gives."""
        if isinstance(value, Ref) and (origin := run.store.things[value.number].origin) is not None and not origin.keys:
            real = run.results.get(origin.number)
            value = real if real is not None else value
        keys = contents.list_keys(run, value)
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


Components = Mapping[tuple[str, str], AgentDefinition]
_EXPLORED: list[tuple[object, TracingRuns]] = []  # the last states that were run
KEPT_RUNS = 2  # what a commit left is what the next one begins with, and what evidence is looked for in


def explore(texts: ProjectFiles, components: Components, words: Collection[str]) -> TracingRuns:
    """The runs of one state of the sources, for these words at least; those of a state that was run lately are kept."""
    key = (texts.root, texts.digest(), dict(components))
    for known, runs in _EXPLORED:
        if known == key and set(words) <= set(runs.words):
            return runs
    runs = TracingRuns(texts, components, words)
    runs.explore()
    _EXPLORED[:] = [*_EXPLORED[1 - KEPT_RUNS :], (key, runs)]
    return runs


def find_differences(
    before: TracingRuns,
    after: TracingRuns,
    texts: Mapping[str, tuple[bytes, bytes]],
    same: Mapping[str, str],
    published: PublishedRenames,
) -> Iterator[tuple[Fact | None, Fact | None]]:
    """The facts of one run that the other lacks: (as it was, as it is). `texts`: a file's text before and after.

    `same`: name -> the one that counts for it; `published`: the fields of events that have another name, and no others
    may. What an inserted line does is new; one that was changed is the same.
    Where a call could not be made before and now is, what comes of it is new as well, and was meant.
    """
    lines = {path: _match_lines(*both, same) for path, both in texts.items()}
    stood = {_place(fact, {}, same, published): fact for fact in before.facts}
    moved = {_place(fact, lines, same, {}): fact for fact in after.facts}
    lost = [fact for place, fact in stood.items() if place not in moved]
    new = [fact for place, fact in moved.items() if place not in stood]
    for fact in lost:
        now = next((f for f in new if (f.path, f.kind) == (fact.path, fact.kind)), None)
        yield fact, now
    still_refused = {(path, lines.get(path, {}).get(line, line), *called) for path, line, *called in after.refused}
    if not lost and before.refused <= still_refused:
        yield from ((None, fact) for fact in new)


def _place(
    fact: Fact, lines: Mapping[str, Mapping[int, int]], same: Mapping[str, str], published: PublishedRenames
) -> tuple[object, ...]:
    """A fact at the line that it had before, with one name for both; what leaves the project has the names it has."""
    line = lines[fact.path].get(fact.line, -fact.line) if fact.path in lines else fact.line
    about = fact.about
    if fact.kind == PUBLISH:
        about = _rename_published(about, same, published)
    elif fact.kind != HAND_OVER:
        about = _rename(about, same)
    return fact.path, line, fact.kind, about


def _rename_published(about: object, same: Mapping[str, str], published: PublishedRenames) -> object:
    """An event with the fields that it has after the renames of its own topic; its values as other facts tell them."""
    assert isinstance(about, tuple)
    component, topic, options = about
    renames = published.get((component, topic), ())
    return (
        component,
        topic,
        frozenset(
            frozenset((_rename_path(path, renames), _rename(value, same)) for path, value in option)
            for option in options
        ),
    )


def _rename_path(path: Path, renames: Sequence[tuple[Path, str]]) -> Path:
    for renamed, to in renames:
        if path[: len(renamed)] == renamed:
            path = (*renamed[:-1], to, *path[len(renamed) :])
    return path


def _rename(about: object, same: Mapping[str, str]) -> object:
    match about:
        case str():
            return same.get(about, about)
        case tuple():
            return tuple(_rename(part, same) for part in about)
        case frozenset():
            return frozenset(_rename(part, same) for part in about)
    return about


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
