"""Interprets a project's code, statement by statement, and sees which values its components are given.

Nothing is imported, and no library is run: what one does with values is told by `library`. A condition that nobody can
decide is run both ways, a loop over what nobody can count is run until it adds nothing, and every step is counted, so
that each run ends. What is not understood is unknown, never guessed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial

from graphbus_core.analysis.execution import calls, contents, expressions, library
from graphbus_core.analysis.execution.state import (
    MISSING,
    NONE,
    NOTHING_KNOWN,
    Arguments,
    Const,
    Content,
    Fields,
    Frame,
    Function,
    Items,
    Observer,
    Origin,
    Ref,
    Store,
    Thing,
    Unknown,
    Value,
    is_value,
    iter_present,
    join,
    list_options,
)
from graphbus_core.analysis.file_reader import swallows
from graphbus_core.analysis.files import ProjectFiles, derive_module, derive_package
from graphbus_core.analysis.newer_syntax import parse_source
from graphbus_core.analysis.scan.namespaces import resolve_import
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.module_origin import is_installed, is_provided

MAX_STEPS = 40_000  # expressions and statements of one run
MAX_DEPTH = 40  # calls in calls
MAX_ROUNDS = 4  # of a loop that nobody can count: what it adds after so many is unknown
MAX_UNROLLED = 64  # elements that a loop goes through one by one
KEPT_TREES = 1_000  # files; of one state to the next most do not change
REQUIREMENTS = ("pyproject.toml", "requirements.txt", "setup.cfg", "setup.py", "environment.yml")
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
NORMAL, RETURN, BREAK, CONTINUE, RAISE = "normal", "return", "break", "continue", "raise"
NEVER = Unknown("<never>")  # what a function gives that does not come back
ENDING = frozenset({"sys.exit", "exit", "quit", "os._exit", "os.abort", "pytest.fail", "pytest.skip", "pytest.exit"})


@lru_cache(KEPT_TREES)
def _parse(path: str, content: bytes) -> ast.Module | None:
    try:
        return parse_source(content, path)
    except (SyntaxError, ValueError, RecursionError):
        return None


class OutOfStepsError(Exception):
    """More code than is followed."""


class Interpreter:
    """One project. `components`: file and class -> agent. `on_call` and `on_assertion` are told what is seen."""

    def __init__(self, texts: ProjectFiles, components: dict[tuple[str, str], AgentDefinition]) -> None:
        self.texts, self.components = texts, components
        self.nodes = {agent.name: key for key, agent in components.items()}
        self.store = Store()
        self.frames: list[Frame] = []
        self.steps = 0
        self.guarded = self.caught = False
        self.tries = 0
        self.is_recording, self.is_patched = True, False
        self.is_recording_caller = False  # of the component whose body is run
        self.ran: set[ast.AST] = set()  # functions that some run came to
        self.escaped: set[object] = set()  # functions that are named and not called
        self.words: set[str] = set()  # that stand in text: `"jobs.run"`, `"jobs:run()"`
        self.observer: Observer | None = None
        self.class_members: dict[tuple[int, str], Value] = {}
        self.methods: dict[Value, tuple[AgentDefinition, str]] = {}  # the functions that a component's text gives it
        self.pending: list[tuple[Value, bool]] = []  # functions that were handed to code outside
        # Component and topic -> method that publishes under it -> whether that is what it gives back, each time.
        self.published: dict[tuple[str, str], dict[str, bool]] = {}
        self.publishing: list[tuple[str, Value, Content | None]] = []  # by the method that is run
        self.dispatched: dict[str, str] = {}  # component -> where it is chosen by a name that nobody can tell
        self.left_by: dict[tuple[int, str], set[int]] = {}  # cell -> calls of components that stored something there
        self.calls = 0  # of components so far
        self.printed: frozenset[Origin] = frozenset()  # what went into the text that was printed, until it is read
        self.site: tuple[str, int] | None = None  # the call that is written: file and line
        self.results: dict[int, Value | None] = {}  # number of a component's call -> what its body gives
        self._modules: dict[str, Ref] = {}
        self._installed: dict[str, bool] = {}
        self._trees: dict[str, ast.Module | None] = {}
        self._frames_of: dict[int, tuple[int, ...]] = {}

    # ---- bookkeeping

    def count_step(self) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise OutOfStepsError

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def unknown(self, *values: Value | None, name: str = "") -> Value:
        """Something that was made of these."""
        return Unknown(name, self.store.collect_origins(v for v in values if v is not None))

    @contextmanager
    def enter(self, guarded: bool = False, caught: bool = False) -> Iterator[None]:
        """What runs meanwhile may not run, or may fail without being noticed."""
        was = self.guarded, self.caught
        self.guarded, self.caught = self.guarded or guarded, self.caught or caught
        try:
            yield
        finally:
            self.guarded, self.caught = was

    def run_both(self, ways: Sequence[Callable[[], str]]) -> str:
        """Run what may happen, each in a layer of its own, and go on from all of them."""
        ends: list[tuple[str, dict[tuple[int, str], Content]]] = []
        for way in ways:
            self.store.layers.append({})
            with self.enter(guarded=True):
                signal = way()
            ends.append((signal, self.store.layers.pop()))
        signals = [signal for signal, _ in ends]
        self.store.merge([layer for signal, layer in ends if signal != RAISE or self.tries])
        if NORMAL not in signals:
            return next((s for s in (CONTINUE, BREAK, RETURN) if s in signals), RAISE)
        if len({*signals}) > 1:
            self.guarded = True  # what follows runs where the other way was not taken; the call's end undoes it
        return NORMAL

    # ---- modules

    def find_tree(self, path: str) -> ast.Module | None:
        if path not in self._trees:
            self._trees[path] = _parse(path, self.texts.read_content(path))
        return self._trees[path]

    def load_module(self, path: str) -> Ref:
        """A module as others import it; its code is run once, whatever way asks for it first."""
        if path not in self._modules:
            layers, self.store.layers = self.store.layers, self.store.layers[:1]
            state = self.guarded, self.caught, self.frames
            self.guarded = self.caught = False
            try:
                self._modules[path] = ref = self.store.add(Thing("module", name=derive_module(path), path=path))
                self.run_module(ref, path, derive_module(path))
            finally:
                self.store.layers = layers
                self.guarded, self.caught, self.frames = state
        return self._modules[path]

    def run_script(self, path: str) -> Ref:
        """A file as `python FILE` runs it."""
        ref = self.store.add(Thing("module", name="__main__", path=path))
        self.run_module(ref, path, "__main__")
        return ref

    def run_module(self, ref: Ref, path: str, name: str) -> None:
        tree = self.find_tree(path)
        self.store.write(ref.number, "__name__", Const(name, "str"))
        self.store.write(ref.number, "__file__", Unknown("__file__"))
        if tree is None:
            return
        self.frames = [*self.frames, Frame(ref.number, path)]
        self.run_block(tree.body)
        self.frames = self.frames[:-1]

    def is_installed(self, name: str) -> bool:
        """Whether Python would find a module that is not the project's: it stands here, or is declared to be needed."""
        root = name.partition(".")[0]
        if not root or is_provided(root) or root == "__main__" or root in self._installed:
            return self._installed.get(root, True)
        found = is_installed(root)
        texts = (self.texts.root / file for file in REQUIREMENTS)
        word = re.compile(root.replace("_", "[-_]"), re.I)
        found = found or any(word.search(text.read_text("utf-8", "replace")) for text in texts if text.is_file())
        self._installed[root] = found
        return found

    def find_module(self, name: str, path: str) -> Value:
        found = self.texts.find_module(name, path)
        if found is None or found.endswith(".pyi"):
            if found is None and self.texts.is_folder(name, path):
                return self.store.add(Thing("module", name=name, path=path))
            is_ours = self.texts.find_module(name.partition(".")[0], path) is not None or found is not None
            return Unknown(name) if is_ours or self.is_installed(name) else MISSING
        return self.load_module(found)

    # ---- names

    def read_name(self, name: str) -> Value:
        frame = self.frame
        numbers = (frame.number, *frame.around)
        if frame.outer_names and name in frame.outer_names:
            numbers = (frame.outer_names[name],)
        for number in numbers:
            found = self.store.read(number, name)
            if found != MISSING and is_value(found):
                present = join(*iter_present(found))
                if isinstance(present, Function):
                    self.escaped.add(present.node)
                # Bound in one of several ways: on another one it is what nobody knows.
                return join(present, NOTHING_KNOWN) if MISSING in list_options(found) else present
        return Const(False, "bool") if name == "TYPE_CHECKING" else Unknown(name)

    def bind_name(self, name: str, value: Value) -> None:
        number = (self.frame.outer_names or {}).get(name, self.frame.number)
        self.store.write(number, name, value)

    # ---- statements

    def run_block(self, body: Sequence[ast.stmt]) -> str:
        for statement in body:
            self.count_step()
            self.frame.line = statement.lineno
            signal = _STATEMENTS.get(type(statement), _run_expression)(self, statement)
            if signal != NORMAL:
                return signal
        return NORMAL

    def run_loop(self, body: Callable[[Value], str], elements: Items) -> str:
        """Run a body for each element; for those that nobody can count until nothing new comes of it."""
        was = self.guarded
        for element in elements.values[:MAX_UNROLLED]:
            signal = body(element)
            self.guarded = was
            if signal in (RETURN, RAISE):
                return signal
            if signal == BREAK:
                return NORMAL
        more = [elements.rest, *elements.values[MAX_UNROLLED:]]
        if all(value is None for value in more):
            return NORMAL
        element = join(*more)
        made: list[Ref] | None = None
        for number in range(MAX_ROUNDS):
            self.store.layers.append({})
            with self.store.record_additions(made) as added:
                body(element)
            made = added
            self.guarded = was
            layer = self.store.layers.pop()
            is_new = [cell for cell in layer if self.store.join_ends(cell, [layer, {}]) != self.store.read(*cell)]
            if number == MAX_ROUNDS - 1:
                layer = {c: self._widen(v) if c in is_new else v for c, v in layer.items()}
            self.store.merge([layer, {}])
            if not is_new:
                break
        return NORMAL

    def _widen(self, content: Content) -> Content:
        match content:
            case Items(values=values, rest=rest):
                return Items((), self.unknown(*values, rest))
            case Fields(fields=fields, bases=bases, rest=rest):
                return Fields({}, (), self.unknown(*fields.values(), rest, *(Ref(base) for base in bases)))
        return self.unknown(content)

    # ---- functions and classes

    def make_function(self, node: FunctionNode | ast.Lambda, marks: frozenset[str] = frozenset()) -> Function:
        args = node.args
        positional = [*args.posonlyargs, *args.args]
        named = [*zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)]
        named += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None]
        defaults = {argument.arg: self.evaluate(default) for argument, default in named}
        number = self.store.add(Thing("frame")).number  # stands for what is around it
        frame = self.frame
        around = frame.around if frame.cls else (frame.number, *frame.around)
        self._frames_of[number] = around
        return Function(node, frame.path, number, frame.cls, defaults, marks)

    def run_function(self, function: Function, names: dict[str, Value]) -> Value:
        """What a function gives, with its parameters bound."""
        node = function.node
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if len(self.frames) > MAX_DEPTH or sum(f.function is function for f in self.frames) > 1:
            return self.unknown(*names.values())
        self.ran.add(node)
        number = self.store.add(Thing("frame")).number
        frame = Frame(number, function.path, self._frames_of[function.frame], function=function, line=node.lineno)
        for name, value in names.items():
            self.store.write(number, name, value)
        self.frames = [*self.frames, frame]
        was = self.guarded
        try:
            if isinstance(node, ast.Lambda):
                return self.evaluate(node.body)
            signal = self.run_block(node.body)
        finally:
            self.frames = self.frames[:-1]
            self.guarded = was
        if frame.yielded is not None or _is_generator(node):
            return self.store.add(Thing("list", name="generator"), Items(frame.yields, frame.yielded))
        if signal == RAISE and frame.returned is None:
            return NEVER
        if signal == NORMAL:
            frame.returned = NONE if frame.returned is None else join(frame.returned, NONE)
        return frame.returned if frame.returned is not None else NOTHING_KNOWN

    def list_marks(self, decorators: Sequence[ast.expr]) -> list[tuple[str, Value]]:
        """Decorators, each with its last word, the nearest to the function first."""
        marks: list[tuple[str, Value]] = []
        for decorator in reversed(decorators):
            inner = decorator.func if isinstance(decorator, ast.Call) else decorator
            word = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
            marks.append((word, self.evaluate(decorator)))
        return marks

    # ---- evaluation

    def evaluate(self, node: ast.expr | None) -> Value:
        """What an expression gives."""
        return expressions.evaluate(self, node)

    def call_node(self, node: ast.Call) -> Value:
        """What a call gives, as it is written."""
        return calls.call_node(self, node)

    def call(self, callee: Value, args: Arguments) -> Value:
        """What a call gives."""
        return calls.call(self, callee, args)


def _is_generator(node: FunctionNode) -> bool:
    todo: list[ast.AST] = [*node.body]
    while todo:
        inner = todo.pop()
        if isinstance(inner, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo += ast.iter_child_nodes(inner)
    return False


# What each kind of statement does.


def _run_expression(run: Interpreter, node: ast.stmt) -> str:
    value = run.evaluate(node.value) if isinstance(node, ast.Expr) else NONE
    ends = isinstance(value, Unknown) and (value == NEVER or value.name.removesuffix("()") in ENDING)
    return RAISE if ends and isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else NORMAL


def _run_assign(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.Assign)
    value = run.evaluate(node.value)
    for target in node.targets:
        expressions.assign(run, target, value)
    return NORMAL


def _run_annotated(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.AnnAssign)
    if run.frame.cls and isinstance(node.target, ast.Name):
        calls.note_field(run, run.frame.cls, node.target.id, node.annotation, node.value)
    if node.value is not None:
        expressions.assign(run, node.target, run.evaluate(node.value))
    return NORMAL


def _run_augmented(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.AugAssign)
    was = expressions.evaluate(run, node.target)
    more = run.evaluate(node.value)
    changed = expressions.extend_in_place(run, was, node.op, more)
    if changed is None:
        changed = expressions.operate(run, node.op, was, more)
    expressions.assign(run, node.target, changed)
    return NORMAL


def _run_return(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.Return)
    value = run.evaluate(node.value) if node.value is not None else NONE
    frame = run.frame
    frame.returned = value if frame.returned is None else join(frame.returned, value)
    return RETURN


def _run_raise(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.Raise)
    if node.exc is not None:
        run.evaluate(node.exc)
    return RAISE


def _run_if(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.If)
    condition = run.evaluate(node.test)
    truth = contents.is_true(run, condition)
    if truth is not None:
        return run.run_block(node.body if truth else node.orelse)
    was, signals = run.guarded, list[str]()

    def run_one(body: list[ast.stmt]) -> str:
        signals.append(run.run_block(body))
        return signals[-1]

    signal = run.run_both([partial(run_one, node.body), partial(run_one, node.orelse)])
    # A way that ends the program gives nothing to anybody. Which way is taken counts where it hangs on what is given.
    if {*signals} == {NORMAL, RAISE} and not run.store.collect_origins([condition]):
        run.guarded = was
    return signal


def _run_for(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.For | ast.AsyncFor)
    elements = contents.iterate(run, run.evaluate(node.iter))

    def run_once(element: Value) -> str:
        expressions.assign(run, node.target, element)
        return run.run_block(node.body)

    signal = run.run_loop(run_once, elements)
    return signal if signal != NORMAL else run.run_block(node.orelse)


def _run_while(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.While)
    truth = expressions.decide(run, node.test)
    if truth is False:
        return run.run_block(node.orelse)
    with run.enter(guarded=truth is None):
        run.run_loop(lambda _: run.run_block(node.body), Items((), NONE))
        run.evaluate(node.test)
    is_endless = truth is True and not any(isinstance(n, ast.Break) for s in node.body for n in ast.walk(s))
    return RETURN if is_endless else NORMAL


def _run_with(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.With | ast.AsyncWith)
    caught = False
    for item in node.items:
        context = run.evaluate(item.context_expr)
        caught |= calls.is_catching(context)
        value = library.enter_context(run, context)
        if item.optional_vars is not None:
            expressions.assign(run, item.optional_vars, value)
    with run.enter(caught=caught):
        signal = run.run_block(node.body)
    return NORMAL if caught and signal == RAISE else signal


def _run_try(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.Try | ast.TryStar)
    run.tries += 1
    was = run.guarded
    run.store.layers.append({})
    with run.enter(caught=any(_swallows(run, handler) for handler in node.handlers)):
        signal = run.run_block(node.body)
    run.tries -= 1
    if signal == NORMAL and node.orelse:
        signal = run.run_block(node.orelse)
    layer = run.store.layers.pop()

    def succeed() -> str:
        run.store.layers[-1].update(layer)
        return signal

    def handle(handler: ast.ExceptHandler) -> str:
        run.store.merge([layer, {}])  # it may have failed anywhere
        if handler.name:
            run.bind_name(handler.name, NOTHING_KNOWN)
        return run.run_block(handler.body)

    # Whether a handler leaves or not, what follows runs where nothing failed, and that is how it was meant.
    signal = run.run_both([succeed, *(partial(handle, handler) for handler in node.handlers)])
    run.guarded = was
    if node.finalbody:
        final = run.run_block(node.finalbody)
        signal = final if final != NORMAL else signal
    return signal


def _swallows(run: Interpreter, handler: ast.ExceptHandler) -> bool:
    """Whether a handler goes on where a call could not be made as written. In a test any may be what it waits for."""
    return swallows(handler) or run.texts.is_test(run.frame.path)


def _run_match(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.Match)
    subject = run.evaluate(node.subject)

    def run_case(case: ast.match_case) -> str:
        expressions.bind_pattern(run, case.pattern, subject)
        return run.run_block(case.body)

    for number, case in enumerate(node.cases):
        if case.guard is None and expressions.is_certain(run, case.pattern, subject):
            if number == 0:
                return run_case(case)
            return run.run_both([partial(run_case, case) for case in node.cases[: number + 1]])
    return run.run_both([*(partial(run_case, case) for case in node.cases), lambda: NORMAL])


def _run_assert(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.Assert)
    calls.observe_assertion(run, node.test)
    return NORMAL


def _run_function_def(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    calls.define_function(run, node)
    return NORMAL


def _run_class_def(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.ClassDef)
    calls.define_class(run, node)
    return NORMAL


def _run_scope(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.Global | ast.Nonlocal)
    frame = run.frame
    outer = dict(frame.outer_names or {})
    for name in node.names:
        around = frame.around or (frame.number,)
        number = around[-1]
        if isinstance(node, ast.Nonlocal):
            number = next((n for n in around if run.store.read(n, name) is not None), around[0])
        outer[name] = number
    frame.outer_names = outer
    return NORMAL


def _run_import(run: Interpreter, node: ast.stmt) -> str:
    if isinstance(node, ast.Import):
        for alias in node.names:
            module = run.find_module(alias.name, run.frame.path)
            if module == MISSING:
                return RAISE
            if not alias.asname and "." in alias.name:
                module = run.find_module(alias.name.partition(".")[0], run.frame.path)
            run.bind_name(alias.asname or alias.name.partition(".")[0], module)
        return NORMAL
    assert isinstance(node, ast.ImportFrom)
    base = resolve_import(node, derive_package(run.frame.path))
    module = run.find_module(base, run.frame.path)
    if module == MISSING:
        return RAISE
    for alias in node.names:
        if alias.name != "*":
            run.bind_name(alias.asname or alias.name, contents.read_attribute(run, module, alias.name))
        elif isinstance(module, Ref):
            for name in run.store.list_names(module.number):
                value = run.store.read(module.number, name)
                if not name.startswith("_") and is_value(value):
                    run.bind_name(name, value)
    return NORMAL


def _run_delete(run: Interpreter, node: ast.stmt) -> str:
    assert isinstance(node, ast.Delete)
    for target in node.targets:
        if isinstance(target, ast.Name):
            run.bind_name(target.id, MISSING)
        elif isinstance(target, ast.Subscript):
            container, key = run.evaluate(target.value), run.evaluate(target.slice)
            for option in list_options(container):
                contents.store_item(run, option, key, MISSING)
    return NORMAL


_STATEMENTS: dict[type[ast.stmt], Callable[[Interpreter, ast.stmt], str]] = {
    ast.Assign: _run_assign,
    ast.AnnAssign: _run_annotated,
    ast.AugAssign: _run_augmented,
    ast.Return: _run_return,
    ast.Raise: _run_raise,
    ast.If: _run_if,
    ast.For: _run_for,
    ast.AsyncFor: _run_for,
    ast.While: _run_while,
    ast.With: _run_with,
    ast.AsyncWith: _run_with,
    ast.Try: _run_try,
    ast.TryStar: _run_try,
    ast.Match: _run_match,
    ast.Assert: _run_assert,
    ast.FunctionDef: _run_function_def,
    ast.AsyncFunctionDef: _run_function_def,
    ast.ClassDef: _run_class_def,
    ast.Global: _run_scope,
    ast.Nonlocal: _run_scope,
    ast.Import: _run_import,
    ast.ImportFrom: _run_import,
    ast.Delete: _run_delete,
    ast.Break: lambda run, node: BREAK,
    ast.Continue: lambda run, node: CONTINUE,
}
