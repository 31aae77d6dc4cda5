"""Every run of a project that can be foreseen, and what each call of a component is given in them.

Its files as scripts, its tests with their fixtures, its components' methods, and what is handed to libraries.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from graphbus_core.analysis.execution import calls, contents
from graphbus_core.analysis.execution.interpreter import Interpreter, OutOfStepsError
from graphbus_core.analysis.execution.state import (
    MISSING,
    NONE,
    NOTHING_KNOWN,
    Arguments,
    Bound,
    Choice,
    Const,
    Fields,
    Frame,
    Function,
    Items,
    Origin,
    Publication,
    Ref,
    Thing,
    Unknown,
    Value,
    is_value,
    join,
    list_options,
)
from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.schema import PAYLOAD_PARAMETER

MAX_RUNS = 600
MAX_ALL_STEPS = 400_000  # of all runs of a project
MAX_NESTED = 6  # mappings in mappings that one call is given
MAX_HANDED = 20  # functions that one run hands to code outside
MAX_SETS = 12  # of parameters that one test is run with
UNHELD = frozenset({"xfail", "skip", "skipif", "expectedFailure", "skipIf", "skipUnless", "patch", "object", "dict"})


@dataclass(frozen=True, slots=True)
class Sighting:
    """One value that a call of a component's method was given: where it came from, and where it went.

    `exact`: it arrives as it left; `sole`: no way through the code gives the target anything else. `number`: of the
    call, by which a test holds what comes of it. `test`: the file of the test that made it.
    """

    component: str
    method: str
    sent: tuple[str, ...]
    consumer: tuple[str, str]
    taken: tuple[str, ...]
    path: str
    line: int
    exact: bool
    sole: bool
    guarded: bool
    caught: bool
    is_taken: bool
    number: int
    beside: frozenset[str]  # the parameters that the call gives
    test: str = ""
    held: bool = False
    doubt: str = ""
    literal: object = None  # the value itself, where the producer's body writes it out: a `Const`
    is_offered: bool = False  # nothing of the project comes to the call: it stands in what is public
    test_name: str = ""  # of the test in its file: `TestIt::test_one`

    @property
    def test_id(self) -> str:
        """The test by which pytest knows it; of a file of doctests the file."""
        return f"{self.test}::{self.test_name}" if self.test and self.test_name else self.test

    @property
    def is_plain(self) -> bool:
        """Whether nothing is to be said against it by itself."""
        is_open = not (self.doubt or self.guarded or self.caught)
        return is_open and self.exact and self.sole and (self.held or not self.test)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A function that a run may begin with. `words`: every name that its body speaks of."""

    path: str
    owner: ast.ClassDef | None
    name: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    words: frozenset[str]
    is_public: bool


@dataclass(frozen=True, slots=True)
class _Decision:
    """A test holds a part of what a component gives to be a constant. `decided`: a branch of its body chose it."""

    end: tuple[str, str]
    keys: tuple[str, ...]
    wanted: str
    number: int
    decided: bool
    forks: bool  # into results of different fields


@dataclass
class ProgramRuns:
    """One state of the sources. `words`: the methods that are asked about."""

    texts: ProjectFiles
    components: Mapping[tuple[str, str], AgentDefinition]
    words: Collection[str]
    sightings: dict[Sighting, None] = field(default_factory=dict)
    # Property -> the parts of results that it gives as they are -> where it stands; None: it gives something else.
    second_names: dict[str, dict[tuple[str, str, tuple[str, ...]] | None, str]] = field(default_factory=dict)
    _decisions: list[_Decision] = field(default_factory=list)
    _held: set[int] = field(default_factory=set)
    _refused: set[int] = field(default_factory=set)
    _fed: dict[int, set[int]] = field(default_factory=dict)  # call -> the calls whose results it was given
    _elsewhere: set[tuple[str, int, tuple[str, str], tuple[str, ...]]] = field(default_factory=set)
    _new: list[Sighting] = field(default_factory=list)
    _test: str = ""
    _test_name: str = ""
    _is_offered: bool = False

    @cached_property
    def run(self) -> Interpreter:
        run = Interpreter(self.texts, dict(self.components))
        run.observer = self
        return run

    def find_publishers(self, component: str, topic: str) -> frozenset[str]:
        """The methods that give back just what they publish under a topic; none where any other thing is published."""
        methods = self.run.published.get((component, topic), {})
        if methods:
            return frozenset(methods) if all(methods.values()) else frozenset()
        # Nothing publishes it by hand: then what the decorated method gives is what goes out.
        agents = [agent for agent in self.components.values() if agent.name == component]
        some = [p.method for agent in agents for p in agent.publications if p.topic.name == topic]
        return frozenset(method for method in some if method is not None)

    def explore(self) -> ProgramRuns:
        """Run everything."""
        total = 0
        for number, (start, test) in enumerate(self._iter_starts()):
            if number >= MAX_RUNS or total > MAX_ALL_STEPS:
                break
            self._test = test
            total += self._run_one(start)
        self._add_doubts()
        return self

    def _run_one(self, start: Callable[[], object]) -> int:
        run = self.run
        run.steps, run.guarded, run.caught, run.tries, run.frames, run.pending = 0, False, False, 0, [], []
        run.site, run.is_recording, run.is_patched, run.printed = None, True, False, frozenset()
        run.is_recording_caller = False
        self._new, self._held, self._refused, self._decisions, self._fed = [], set(), set(), self._decisions, {}
        base = len(run.store.layers)
        run.store.layers.append({})
        is_whole = True
        try:
            start()
            handed = [*dict.fromkeys(function for function, guarded in run.pending if not guarded)]
            handed += [function for function, guarded in run.pending if guarded]
            self._run_each(handed[:MAX_HANDED])
        except (OutOfStepsError, RecursionError):
            is_whole = False
        del run.store.layers[base:]
        self._close_run("" if is_whole else "there is more code around it than is followed")
        return run.steps

    def _close_run(self, doubt: str) -> None:
        if self.run.is_patched:
            doubt = "something else is put in a method's place there"
        held = set(self._held)
        for _ in range(5):
            held |= {n for number in held for n in self._fed.get(number, ())}
        for sighting in self._new:
            is_held = sighting.number in held and sighting.number not in self._refused
            self.sightings[replace(sighting, held=is_held, doubt=doubt)] = None

    # ---- where runs begin

    def _iter_starts(self) -> Iterator[tuple[Callable[[], object], str]]:
        run = self.run
        paths = [path for path in self._select_paths() if not path.endswith(".pyi")]
        for path in paths:
            if not self.texts.is_test(path):
                yield partial(run.run_script, path), ""
        for (path, _), agent in self.components.items():
            if path in paths:
                yield partial(self._run_component, agent), ""
        for path in paths:
            if self.texts.is_test(path):
                yield from ((start, path) for start in self._iter_tests(path))
        yield from ((start, "") for start in self._iter_entries(paths))

    def _select_paths(self) -> list[str]:
        """The files that speak of one of the methods, and those that speak of such a file."""
        paths = [path for path in self.texts.paths if not path.endswith(".pyi")]
        if len(paths) <= 40:
            return paths
        selected = {p for p in paths if any(word.encode() in self.texts.read_content(p) for word in self.words)}
        for _ in range(2):
            stems = {p.rpartition("/")[2].removesuffix(".py").encode() for p in selected} - {b"__init__", b"conftest"}
            selected |= {p for p in paths if any(stem in self.texts.read_content(p) for stem in stems)}
            if len(selected) > 200:
                break
        return [path for path in paths if path in selected]

    def _run_component(self, agent: AgentDefinition) -> None:
        """A component's methods as the bus calls them: what they are given is their own matter."""
        run = self.run
        owner = calls.make_node(run, agent.name)
        if isinstance(owner, Ref):
            members = [contents.find_member(run, owner, method.name) for method in agent.methods]
            self._run_each([replace(m, word="") for m in members if isinstance(m, Bound)])
            for method, member in zip(agent.methods, members, strict=True):
                run.publishing = []
                if isinstance(member, Bound):
                    real = self._call_unknown(replace(member, word=""))
                    calls.note_published(run, agent.name, method.name, real)
                    self._read_properties(agent.name, method.name, real)

    def _read_properties(self, component: str, method: str, real: Value) -> None:
        """Those of the class of what a method gives: they may be further names of its fields."""
        run = self.run
        thing = run.store.things[real.number] if isinstance(real, Ref) else None
        if thing is None or thing.kind != "instance":
            return
        opaque = run.store.add(Thing("opaque", cls=thing.cls, origin=Origin(component, method, (), run.calls)))
        for cls in contents.list_lineage(run, thing.cls):
            for name in run.store.list_names(cls):
                value = run.store.read(cls, name)
                if isinstance(value, Function) and {"property", "cached_property"} & value.marks:
                    contents.read_attribute(run, opaque, name)

    def _run_each(self, functions: Sequence[Value]) -> None:
        """Functions that are called in any order: each may find what any other one left behind."""
        run = self.run
        is_recording = run.is_recording
        rounds = (False, is_recording) if len(functions) > 1 else (is_recording,)
        for run.is_recording in rounds:
            for function in functions:
                run.store.layers.append({})
                run.guarded = False
                self._call_unknown(function)
                layer = run.store.layers.pop()
                run.store.merge([layer, {}])
        run.is_recording = is_recording

    def _iter_entries(self, paths: Sequence[str]) -> Iterator[Callable[[], object]]:
        """Functions that no run came to, and that somebody may call: the callers first, since they have what is given.

        Code that runs names them, or the project's settings do; or they are public and lead to one of the methods.
        """
        entries = [entry for path in paths if not self.texts.is_test(path) for entry in self._list_functions(path)]
        words, number = {*self.words}, -1
        while number < len(words):
            number = len(words)
            words |= {e.name for e in entries if e.words & words}
        entries = [entry for entry in entries if entry.words & words]
        for entry in sorted(entries, key=lambda e: any(e.name in other.words for other in entries if other is not e)):
            is_named = self._is_named(entry.name, entry.node)
            if entry.node not in self.run.ran and (is_named or entry.is_public):
                yield partial(self._run_entry, entry, is_named)

    def _list_functions(self, path: str) -> Iterator[_Entry]:
        """The functions of a module and of its classes, but for those of components: they have a run of their own."""
        tree = self.run.find_tree(path)
        private = any(_is_private(part.removesuffix(".py")) for part in path.split("/"))
        for node in tree.body if tree is not None else ():
            owner = node if isinstance(node, ast.ClassDef) and (path, node.name) not in self.components else None
            for inner in owner.body if owner is not None else (node,):
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                    words = frozenset(word for part in ast.walk(inner) if (word := _read_word(part)))
                    is_private = private or _is_private(inner.name) or (owner is not None and _is_private(owner.name))
                    yield _Entry(path, owner, inner.name, inner, words, not is_private)

    def _is_named(self, name: str, node: ast.AST) -> bool:
        """Whether code that ran handed a function on, or has its name in text; or the project's settings do."""
        if node in self.run.escaped or name in self.run.words:
            return True
        met = re.compile(rf"[:.]{re.escape(name)}\b")
        files = (self.texts.root / file for file in ("pyproject.toml", "setup.cfg"))
        return any(met.search(file.read_text("utf-8", "replace")) for file in files if file.is_file())

    def _run_entry(self, entry: _Entry, is_named: bool) -> None:
        run, self._is_offered = self.run, not is_named
        if entry.owner is None:
            value: Value | None = contents.read_attribute(run, run.load_module(entry.path), entry.name)
        else:
            made = self._make_owner(entry.path, entry.owner)
            value = contents.find_member(run, made, entry.name) if isinstance(made, Ref) else None
        if value is not None:
            self._call_unknown(value)

    def _call_unknown(self, value: Value) -> Value:
        """Call a function with what nobody knows, and with components where its hints name them."""
        function = value.function if isinstance(value, Bound) else value
        if not isinstance(function, Function):
            return NOTHING_KNOWN
        node = function.node
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        is_method = isinstance(value, Bound) and value.receiver != MISSING
        positional = [*node.args.posonlyargs, *node.args.args][int(is_method) :]
        positions = [self._make_given(function.path, a.annotation) for a in positional]
        keywords = {a.arg: self._make_given(function.path, a.annotation) for a in node.args.kwonlyargs}
        rest = Unknown() if node.args.vararg is not None else None
        return self.run.call(value, Arguments(positions, keywords, rest))

    def _make_given(self, path: str, hint: ast.expr | None) -> Value:
        """A component for `mill: Mill`; else what nobody knows."""
        if not isinstance(hint, ast.Name | ast.Attribute):
            return Unknown()
        run = self.run
        around, run.frames = run.frames, [self._build_frame(run.load_module(path), path)]
        cls = run.evaluate(hint)
        run.frames = around
        thing = run.store.things[cls.number] if isinstance(cls, Ref) else None
        agent = self.components.get((thing.path, thing.name)) if thing is not None else None
        return calls.make_node(run, agent.name) if agent is not None else Unknown()

    def _make_owner(self, path: str, cls: ast.ClassDef) -> Value:
        """An object of a class: its constructor, or its fields, given as `_call_unknown` gives."""
        init = next((n for n in cls.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        given = [*init.args.args, *init.args.kwonlyargs][1:] if init is not None else []
        hints = {a.arg: a.annotation for a in given} or {
            n.target.id: n.annotation
            for n in cls.body
            if isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)
        }
        nodes = {name: value for name, hint in hints.items() if (value := self._make_given(path, hint)) != Unknown()}
        value = contents.read_attribute(self.run, self.run.load_module(path), cls.name)
        return self.run.call(value, Arguments([], nodes, Unknown()))

    # ---- tests

    def _iter_tests(self, path: str) -> Iterator[Callable[[], object]]:
        run = self.run
        tree = run.find_tree(path)
        name = path.rpartition("/")[2]
        if tree is None or name == "conftest.py" or _is_skipped(tree.body):
            return
        for node in tree.body:
            match node:
                case ast.FunctionDef(name=word) | ast.AsyncFunctionDef(name=word) if word.startswith("test"):
                    if not _is_marked(node.decorator_list):
                        yield partial(self._run_test, path, node, None)
                case ast.ClassDef(body=body) if not _is_marked(node.decorator_list) and not _is_skipped(body):
                    is_case = any("TestCase" in ast.unparse(base) for base in node.bases)
                    for inner in body:
                        if (
                            isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)
                            and inner.name.startswith("test")
                            and (is_case or node.name.startswith("Test"))
                            and not _is_marked(inner.decorator_list)
                        ):
                            yield partial(self._run_test, path, inner, node.name)

    def _run_test(self, path: str, node: ast.FunctionDef | ast.AsyncFunctionDef, cls: str | None) -> None:
        run = self.run
        self._test_name = f"{cls}::{node.name}" if cls is not None else node.name
        if _is_skipped(node.body):
            return
        module = run.load_module(path)
        fixtures = _Fixtures(self, path, module)
        owner: Value | None = None
        if cls is not None:
            owner = run.call(contents.read_attribute(run, module, cls), Arguments())
            for word in ("setUpClass", "setup_class", "setUp", "setup_method", "asyncSetUp"):
                member = contents.find_member(run, owner, word) if isinstance(owner, Ref) else None
                if member is not None:
                    self._call_unknown(member)
            fixtures.owner = owner
        function = (
            contents.read_attribute(run, module, node.name)
            if owner is None
            else contents.read_attribute(run, owner, node.name)
        )
        fixtures.run_automatic()
        names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        names = names[1:] if cls is not None else names
        run.frames = [self._build_frame(module, path)]
        sets = _read_parameter_sets(run, node.decorator_list)
        run.frames = []
        for values in sets[:MAX_SETS]:
            given = {name: values[name] if name in values else fixtures.make(name) for name in names}
            run.call(function, Arguments([], given))

    def _build_frame(self, module: Ref, path: str):  # type: ignore[no-untyped-def]

        return Frame(module.number, path)

    # ---- what is seen

    def list_names(self, run: Interpreter, number: int, sure: bool = False) -> tuple[str, ...] | None:
        """The fields of an opaque object, by the contract of the method that gave it; with `sure` no optional ones."""
        origin = run.store.things[number].origin
        schema = self._find_schema(origin) if origin is not None else None
        if origin is None:
            return None
        properties = schema.get("properties") if isinstance(schema, Mapping) else None
        if not properties or not isinstance(schema, Mapping):
            return None
        required = schema.get("required", ())
        real = run.results.get(origin.number) if not origin.keys else None
        given = contents.list_keys(run, real) if real is not None else None  # by this very call, as far as is known
        return tuple(n for n in properties if n in required or (not sure and (given is None or n in given)))

    def _find_schema(self, origin: Origin) -> object:
        agent = next((a for a in self.components.values() if a.name == origin.component), None)
        method = agent.method(origin.method) if agent is not None else None
        schema: object = method.output_schema.json_schema if method and method.output_schema else None
        for key in origin.keys:
            schema = _go_below(schema, key)
        return schema

    def is_boolean(self, run: Interpreter, value: Value) -> bool:
        """Whether a value is a part of what a component gives that is true or false, by its contract."""
        origin = run.store.things[value.number].origin if isinstance(value, Ref) else None
        schema = self._find_schema(origin) if origin is not None else None
        return isinstance(schema, Mapping) and schema.get("type") == "boolean"

    def is_never_none(self, run: Interpreter, value: Value) -> bool:
        """Whether a part of what a component gives is always there, and not null, by its contract."""
        origin = run.store.things[value.number].origin if isinstance(value, Ref) else None
        schema = self._find_schema(replace(origin, keys=())) if origin is not None else None
        for key in origin.keys if origin is not None else ():
            required = schema.get("required", ()) if isinstance(schema, Mapping) else ()
            schema = _go_below(schema, key) if key in required else None
        return isinstance(schema, Mapping) and isinstance(schema.get("type"), str) and schema["type"] != "null"

    def see_call(
        self, run: Interpreter, agent: AgentDefinition, method: str, given: dict[str, Value], taken: bool, number: int
    ) -> None:
        self._fed[number] = {o.number for o in run.store.collect_origins(given.values())}
        if not run.is_recording or run.site is None or method not in self.words:
            return
        path, line = run.site
        contract = agent.method(method)
        payload = contract.metadata.get(PAYLOAD_PARAMETER) if contract is not None else None
        fields = contract.input_schema.fields if contract is not None and contract.input_schema is not None else {}
        results = self._collect_results(run, given.values())
        for name, value in given.items():
            # A handler may take all of its fields in one parameter.
            is_payload = name == payload or (len(given) == 1 and bool(fields) and name not in fields)
            keys: tuple[str, ...] = () if is_payload else (name,)
            for sent, target, exact, sole in self._trace(run, value, keys, True, 0):
                if sent is None:
                    self._elsewhere.add((path, line, (agent.name, method), target))
                if sent is None or not target:
                    continue
                # A link hands over what one call gave: of several, one may be of the round before.
                sole &= len(results[sent.component, sent.method]) < 2
                self._new.append(
                    Sighting(
                        sent.component, sent.method, sent.keys, (agent.name, method), target, path, line,
                        exact, sole, run.guarded, run.caught, taken, number, frozenset(given), self._test,
                        literal=self._find_literal(run, sent), is_offered=self._is_offered,
                        test_name=self._test_name if self._test else "",
                    )
                )  # fmt: skip

    def _collect_results(
        self, run: Interpreter, values: Collection[Value]
    ) -> dict[tuple[str, str], set[frozenset[int]]]:
        """Of each component's method the calls whose results one call is given, for each of its arguments."""
        results: dict[tuple[str, str], set[frozenset[int]]] = {}
        for value in values:
            origins = run.store.collect_origins([value])
            for end in {(origin.component, origin.method) for origin in origins}:
                numbers = frozenset(o.number for o in origins if (o.component, o.method) == end)
                results.setdefault(end, set()).add(numbers)
        return results

    def _find_literal(self, run: Interpreter, origin: Origin) -> object:
        real: Value | None = run.results.get(origin.number)
        for key in origin.keys:
            real = contents.read_item(run, real, contents.make_const(key)) if real is not None else None
        return real if isinstance(real, Const) else None

    def _trace(
        self, run: Interpreter, value: Value, keys: tuple[str, ...], sole: bool, depth: int
    ) -> Iterator[tuple[Origin | None, tuple[str, ...], bool, bool]]:
        """Each origin that went into a value, with where in it, whether as it was, and whether alone."""
        options = list_options(value)
        if len(options) > 1:
            addresses = {self._find_address(run, option) for option in options}
            sole = sole and len(addresses) == 1 and None not in addresses
        for option in options:
            match option:
                case Ref() if depth < MAX_NESTED:
                    yield from self._trace_object(run, option, keys, sole, depth)
                case _ if option != MISSING:
                    origins = run.store.collect_origins([option])
                    yield from ((origin, keys, False, sole) for origin in origins or (None,))

    def _find_address(self, run: Interpreter, value: Value) -> object:
        if isinstance(value, Ref):
            thing = run.store.things[value.number]
            if thing.origin is not None and run.store.is_untouched(value.number):
                return thing.origin.address
        return None

    def _trace_object(
        self, run: Interpreter, ref: Ref, keys: tuple[str, ...], sole: bool, depth: int
    ) -> Iterator[tuple[Origin | None, tuple[str, ...], bool, bool]]:
        thing = run.store.things[ref.number]
        if thing.origin is not None and run.store.is_untouched(ref.number):
            yield thing.origin, keys, True, sole
        match run.store.inside(ref):
            case Items(values=values, rest=rest):
                parts = [v for v in (*values, rest) if v is not None]
                if parts:
                    yield from self._trace(run, join(*parts), (*keys, "[]"), sole, depth + 1)
            case Fields() as content:
                names = contents.list_keys(run, ref)
                if thing.origin is not None and run.store.is_untouched(ref.number):
                    known = self.list_names(run, ref.number)
                    names = [*known] if known is not None else []
                for name in names if names is not None else content.fields:
                    inner = contents.read_item(run, ref, contents.make_const(name))
                    yield from self._trace(run, inner, (*keys, str(name)), sole, depth + 1)
                if content.rest is not None:
                    yield from self._trace(run, content.rest, keys, False, depth + 1)
            case None if thing.kind == "instance":
                for name in run.store.list_names(ref.number):
                    stored = run.store.read(ref.number, name)
                    if is_value(stored) and not name.startswith("<"):
                        yield from self._trace(run, stored, (*keys, name), sole, depth + 1)

    def see_read(self, run: Interpreter, container: Value, key: object, result: Value) -> None:
        """A key or an attribute is read: it is seen by what becomes of it."""

    def see_property(self, run: Interpreter, getter: Function, name: str, result: Value) -> None:
        """A property gives a part of what a component gave: then its name is a second one of that part."""
        if run.store.collect_origins([result]):
            address = self._find_address(run, result)
            names = self.second_names.setdefault(name, {})
            line = getattr(getter.node, "lineno", 0)
            names.setdefault(address if isinstance(address, tuple) else None, f"{getter.path}:{line}")

    def see_outside(self, run: Interpreter, name: str, args: Arguments) -> None:
        """Values are handed to code that is not of the project."""

    def see_publication(self, run: Interpreter, publication: Publication) -> None:
        """A component sends an event."""

    def see_assertion(self, run: Interpreter, values: list[Value], equal: bool) -> None:
        numbers = {origin.number for origin in run.store.collect_origins(values)}
        # What a method's own body looked at speaks for those that left it there; that it says no speaks against none.
        looked_at = (run.store.looked_at or set()) | (run.store.looked_inside if equal else set())
        for cell in looked_at:
            numbers |= run.left_by.get(cell, set())
        # That it gives False or None may be what the test wants to see of a value that is turned away.
        turned_away = any(value in (NONE, Const(False, "bool")) for value in values)
        (self._held if equal and not turned_away else self._refused).update(numbers)
        for value in values if equal else ():
            wanted = [_read_literal(run, other) for other in values if other is not value]
            for origin in run.store.collect_origins([value]):
                if len(wanted) == 1 and wanted[0] is not None:
                    self._decisions.append(self._judge_decision(run, origin, wanted[0]))

    def _judge_decision(self, run: Interpreter, origin: Origin, wanted: str) -> _Decision:
        """Whether what a test wants is what a branch of the consumer's body chose, and not made of what it took."""
        real: Value | None = run.results.get(origin.number)
        for key in origin.keys:
            real = contents.read_item(run, real, contents.make_const(key)) if real is not None else None
        options = list_options(real)
        literals = [_read_literal(run, option) for option in options]
        decided = (len(options) > 1 and None not in literals) or wanted == "True"
        shapes = {tuple(map(str, contents.list_keys(run, option) or ())) for option in options}
        end = (origin.component, origin.method)
        return _Decision(end, origin.keys, wanted, origin.number, decided, len(shapes) > 1)

    def _add_doubts(self) -> None:
        """A test may hand a value over to see it turned away, and is green as well.

        Where the consumer merely decides by a value, and does not make its result of it, the test is not a witness if
        another one sees it decide otherwise, or if it ends in another kind of result then.
        """
        wanted: dict[tuple[object, ...], set[str]] = {}
        for decision in self._decisions:
            wanted.setdefault((decision.end, decision.keys), set()).add(decision.wanted)
        doubted = {d.number for d in self._decisions if d.forks or (d.decided and len(wanted[d.end, d.keys]) > 1)}
        why = "the consumer decides by it, and may be seen to turn it away there"
        for sighting in list(self.sightings):
            del self.sightings[sighting]
            # The same line, called with what no component gave: what arrives there has more than one origin.
            place = sighting.path, sighting.line, sighting.consumer, sighting.taken
            doubt = why if sighting.number in doubted and not sighting.doubt else sighting.doubt
            is_sole = sighting.sole and place not in self._elsewhere
            self.sightings[replace(sighting, doubt=doubt, sole=is_sole)] = None
        self._doubt_offered()

    def _doubt_offered(self) -> None:
        """What nothing runs is only a witness where it is the one use that the project makes of a field."""
        doubted = {place[2:] for place in self._elsewhere}
        uses: dict[tuple[object, ...], set[tuple[object, ...]]] = {}
        for s in self.sightings:
            if not s.is_plain:
                doubted.add((s.consumer, s.taken))
            uses.setdefault((s.consumer, s.taken), set()).add((s.component, s.method, s.sent))
        why = "nothing in the project runs it, and other code uses it otherwise"
        for sighting in [s for s in self.sightings if s.is_offered and s.is_plain]:
            use = sighting.consumer, sighting.taken
            if use in doubted or len(uses[use]) > 1:
                del self.sightings[sighting]
                self.sightings[replace(sighting, doubt=why)] = None


def _read_literal(run: Interpreter, value: Value) -> str | None:
    """A value that is written out, as text."""
    match value:
        case Const(value=literal):
            return repr(literal)
        case Choice(options=options):
            parts = [_read_literal(run, option) for option in options]
            return None if None in parts else " or ".join(map(str, parts))
        case Ref():
            keys = contents.list_keys(run, value)
            if keys is not None:
                inner = [_read_literal(run, contents.read_item(run, value, contents.make_const(k))) for k in keys]
                return None if None in inner else repr(sorted(zip(map(str, keys), map(str, inner), strict=True)))
    return None


def _read_word(node: ast.AST) -> str:
    """The name that a node speaks of: `use` of `x.use`, `use`, `"Order.use"`."""
    match node:
        case ast.Attribute(attr=word) | ast.Name(id=word):
            return word
        case ast.Constant(value=str(text)):
            return text.rpartition(".")[2]
    return ""


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _go_below(schema: object, key: str) -> object:
    if not isinstance(schema, Mapping):
        return None
    if key == "[]" or key.lstrip("-").isdigit():
        return schema.get("items")
    properties, others = schema.get("properties"), schema.get("additionalProperties")
    return properties.get(key, others) if isinstance(properties, Mapping) else others


def _is_marked(decorators: Sequence[ast.expr]) -> bool:
    """Skipped, expected to fail, or run with something else in a method's place."""
    for decorator in decorators:
        inner = decorator.func if isinstance(decorator, ast.Call) else decorator
        word = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
        if word in UNHELD:
            return True
    return False


def _is_skipped(body: Sequence[ast.stmt]) -> bool:
    for node in body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                words = {n.attr for n in ast.walk(value) if isinstance(n, ast.Attribute)}
                return bool(words & UNHELD)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=word) | ast.Name(id=word))) if word in (
                "skip",
                "xfail",
                "importorskip",
                "skipTest",
            ):
                return True
    return False


def _read_parameter_sets(run: Interpreter, decorators: Sequence[ast.expr]) -> list[dict[str, Value]]:
    """What `@pytest.mark.parametrize("a, b", [(1, 2), …])` gives, every set of it."""
    sets: list[dict[str, Value]] = [{}]
    for decorator in decorators:
        if not isinstance(decorator, ast.Call) or len(decorator.args) < 2:
            continue
        if not isinstance(decorator.func, ast.Attribute) or decorator.func.attr != "parametrize":
            continue
        literal = contents.read_const(run.evaluate(decorator.args[0]))
        names = [n.strip() for n in literal.split(",")] if isinstance(literal, str) else []
        if not names:
            names = [str(contents.read_const(v)) for v in contents.iterate(run, run.evaluate(decorator.args[0])).values]
        items = contents.iterate(run, run.evaluate(decorator.args[1]))
        rows = [v for v in (*items.values, items.rest) if v is not None]
        more: list[dict[str, Value]] = []
        for row in rows[:MAX_SETS]:
            if isinstance(row, Unknown) and row.name.endswith("param()"):
                more.append({name: run.unknown(row) for name in names})
            elif len(names) == 1:
                more.append({names[0]: row})
            else:
                more.append({n: contents.read_item(run, row, contents.make_const(i)) for i, n in enumerate(names)})
        sets = [{**one, **other} for one in sets for other in more] if more else sets
    return sets


class _Fixtures:
    """The fixtures that a test of one file may name: of the file, of a conftest.py above it."""

    def __init__(self, by: ProgramRuns, path: str, module: Ref) -> None:
        self.by, self.path = by, path
        self.owner: Value | None = None  # the object of the test's class
        self._made: dict[str, Value] = {}
        self._modules = [module]
        folder = path.rpartition("/")[0]
        while True:
            conftest = f"{folder}/conftest.py" if folder else "conftest.py"
            if conftest in by.texts.paths and conftest != path:
                self._modules.append(by.run.load_module(conftest))
            if not folder:
                break
            folder = folder.rpartition("/")[0]

    def _find(self, name: str, after: Function | None = None) -> Value | None:
        found: list[Value] = []
        if isinstance(self.owner, Ref):
            member = contents.find_member(self.by.run, self.owner, name)
            found += [member] if member is not None else []
        for module in self._modules:
            value = self.by.run.store.read(module.number, self._find_given_name(module, name))
            found += [value] if isinstance(value, Function) else []
        found = [f for f in found if self._is_fixture(f)]
        functions = [f.function if isinstance(f, Bound) else f for f in found]
        start = functions.index(after) + 1 if after in functions else 0
        return found[start] if len(found) > start else None

    def _find_given_name(self, module: Ref, name: str) -> str:
        """The function that is a fixture under another name: `@pytest.fixture(name="row")`."""
        for word in self.by.run.store.list_names(module.number):
            value = self.by.run.store.read(module.number, word)
            marks = getattr(value.node, "decorator_list", ()) if isinstance(value, Function) else ()
            for keyword in (k for mark in marks for k in getattr(mark, "keywords", ()) if k.arg == "name"):
                if isinstance(keyword.value, ast.Constant) and keyword.value.value == name:
                    return word
        return name

    def _is_fixture(self, value: Value) -> bool:
        function = value.function if isinstance(value, Bound) else value
        return isinstance(function, Function) and "fixture" in function.marks

    def make(self, name: str, after: Function | None = None) -> Value:
        """What a test is given under a name."""
        if after is None and name in self._made:
            return self._made[name]
        value = self._find(name, after)
        if value is None:
            return Unknown(name if name in ("monkeypatch", "mocker", "subtests", "capsys", "capfd") else "")
        function = value.function if isinstance(value, Bound) else value
        assert isinstance(function, Function)
        node = function.node
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        names = [a.arg for a in (*node.args.args, *node.args.kwonlyargs)][1 if isinstance(value, Bound) else 0 :]
        given = {n: self.make(n, function if n == name else None) for n in names if n != "request"}
        if "request" in names:
            given["request"] = self._make_request(function)
        result = self.by.run.call(value, Arguments([], given))
        if isinstance(result, Ref) and self.by.run.store.things[result.number].name == "generator":
            items = contents.iterate(self.by.run, result)
            everything = [v for v in (*items.values, items.rest) if v is not None]
            result = join(*everything) if everything else NOTHING_KNOWN
        self._made[name] = result
        return result

    def _make_request(self, function: Function) -> Value:
        """`request.param` is any of the fixture's parameters, `request.cls` the class of the test."""
        run, fields = self.by.run, dict[str, Value]()
        thing = run.store.things[self.owner.number] if isinstance(self.owner, Ref) else None
        if thing is not None and thing.kind == "instance":
            fields["cls"], fields["instance"] = Ref(thing.cls), self.owner or NONE
        run.frames = [self.by._build_frame(run.load_module(function.path), function.path)]
        for mark in getattr(function.node, "decorator_list", ()):
            given = next((k.value for k in getattr(mark, "keywords", ()) if k.arg == "params"), None)
            if given is not None:
                items = contents.iterate(run, run.evaluate(given))
                fields["param"] = join(*items.values, items.rest)
        run.frames = []
        return run.store.add(Thing("dict", name="namespace"), Fields(dict(fields), (), NOTHING_KNOWN))

    def run_automatic(self) -> None:
        """Those that each test runs by itself."""
        for module in self._modules[::-1]:
            for name in self.by.run.store.list_names(module.number):
                value = self.by.run.store.read(module.number, name)
                if isinstance(value, Function) and self._is_fixture(value):
                    node = value.node
                    marks = getattr(node, "decorator_list", ())
                    if any("autouse=True" in ast.unparse(mark) for mark in marks):
                        self.make(name)
