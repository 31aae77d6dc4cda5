"""The files that one commit works on: read once, edited in memory, and the names, classes and methods in them.

Names are followed through assignments and imports between the project's own files. Nothing is imported.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from graphbus_core.analysis.scopes import FUNCTIONS, Function
from graphbus_core.editing import fstrings
from graphbus_core.editing.source import Edit, Source, splice
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.suggestions import suggest_names
from graphbus_core.syntax import dotted_name

if TYPE_CHECKING:
    from graphbus_core.analysis.type_checker.port import Engine, Place

# The type checker, asked whose method is called where our own reading cannot tell: `queue.get().load(x)`.
#
# It reads the texts as they stand between two operations. Its server starts with the first question of a diff and ends
# with the diff: most diffs ask nothing. Where no checker is installed, or it fails, nothing is told.


MAX_QUESTIONS = 200  # of one diff; what comes after them is unknown, and refused


class TypeCheckerClient:
    """`root` is the whole project's; `prefix` leads from there to the folder that a workspace's paths begin in."""

    def __init__(self, root: Path, prefix: str) -> None:
        self._root, self._prefix = root, prefix
        self._left = MAX_QUESTIONS

    def find_definition(self, changed: Mapping[str, bytes], path: str, line: int, column: int) -> tuple[Place, ...]:
        """Where what stands at a place is defined, paths as the workspace has them; "" outside of it.

        `changed`: the texts that are not on the disk.
        """
        from graphbus_core.analysis.type_checker.port import EngineFailed, Place

        if self._engine is None or self._left <= 0:
            return ()
        self._left -= 1
        try:
            for other, text in changed.items():
                self._engine.show(self._prefix + other, text)
            places = self._engine.find_definition(Place(self._prefix + path, line, column))
        except EngineFailed:
            self._left = 0  # it will not answer the next one either
            return ()
        # What lies beside the folder, and in a library, keeps no path here: `fetcher.py` at the root is not ours.
        inner = (
            place.path.removeprefix(self._prefix) if place.path.startswith(self._prefix) else "" for place in places
        )
        return tuple(Place(path, place.line, place.column) for path, place in zip(inner, places, strict=True))

    @cached_property
    def _engine(self) -> Engine | None:
        from graphbus_core.analysis.type_checker import find_engine

        return find_engine(self._root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # Asked without making it: a diff that asked nothing starts no checker.
        engine: Engine | None = self.__dict__.get("_engine")
        if engine is not None:
            engine.close()


MAX_STEPS = 40  # aliases of aliases


class Worktree:
    """`read(path)` gives a file's bytes, or None where it may not be read; `paths` are the project's Python files."""

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        agents: Iterable[AgentDefinition],
        paths: Iterable[str] = (),
        checker: TypeCheckerClient | None = None,
    ) -> None:
        self.checker = checker
        self.agents = {a.name: a for a in agents}
        self.paths = tuple(sorted({*paths, *(a.source_file for a in self.agents.values())}))
        self._read = read
        self._sources: dict[str, Source] = {}
        self.before: dict[str, Source] = {}
        self.created: set[str] = set()

    def read_source(self, path: str) -> Source:
        """A file as it stands now. Raises Refusal for one that is not a file of the project."""
        if path not in self._sources:
            raw = self._read(path)
            if raw is None:
                raise Refusal(f"{path} is not a file of this project.")
            self._sources[path] = self.before[path] = Source(path, raw)
        return self._sources[path]

    def exists(self, path: str) -> bool:
        """Whether there is such a file now: on the disk, where it may be read, or made by this diff."""
        return path in self._sources or path in self.paths or self._read(path) is not None

    def is_own_module(self, top: str) -> bool:
        """Whether a top-level module is of the project, and none that was installed."""
        return any(path == f"{top}.py" or path.startswith(f"{top}/") for path in self.paths)

    def create_file(self, path: str, raw: bytes) -> None:
        """Make a file that was not there; an empty one stands for it in `before`."""
        self._sources[path], self.before[path] = Source(path, raw), Source(path, b"")
        self.created.add(path)

    def apply_edits(self, edits: dict[str, list[Edit]]) -> None:
        """Make edits; each file must parse afterwards, else Refusal and nothing is changed."""
        edited = {path: self.read_source(path).apply_edits(some) for path, some in edits.items() if some}
        for path, source in edited.items():
            if not _can_parse_in_part(self.read_source(path), edits[path]):
                _ = source.tree
        self._sources.update(edited)

    def collect_changes(self) -> dict[str, tuple[bytes, bytes]]:
        """Path -> bytes before and after, for each file whose bytes differ."""
        return {
            path: (self.before[path].raw, now.raw)
            for path, now in sorted(self._sources.items())
            if now.raw != self.before[path].raw
        }

    # ---- nodes

    def find_agent(self, name: str) -> AgentDefinition:
        """A node by name. Raises Refusal with the nearest names."""
        definition = self.agents.get(name)
        if definition is None:
            raise Refusal(f"there is no node {name!r}; {describe_nearest(name, self.agents)}.")
        return definition

    def find_node_class(self, name: str) -> tuple[Source, ast.ClassDef]:
        """The class of a node. Raises Refusal where it is not there, or written more than once."""
        agent = self.find_agent(name)
        source = self.read_source(agent.source_file)
        class_definitions = list(iter_classes(source.tree))
        matches = [c for name, c in class_definitions if name == agent.class_name]
        matches = matches or [c for _, c in class_definitions if c.name == agent.class_name]
        if len(matches) > 1 and agent.metadata.get("lineno"):
            matches = [c for c in matches if c.lineno == agent.metadata["lineno"]] or matches
        if not matches:
            raise Refusal(f"{source.path} has no class {agent.class_name}.")
        if len(matches) > 1:
            raise Refusal(
                f"{agent.class_name} is written {len(matches)} times in {source.path}; which one is meant?",
                source.places(*matches),
            )
        return source, matches[0]

    def find_method(self, node: str, name: str) -> tuple[Source, ast.ClassDef, Function]:
        """A method of a node, its own or inherited from a class of the project. Refusal with the nearest names."""
        source, cls = self.find_node_class(node)
        known_names: list[str] = []
        for owner_source, owner in self.iter_family(source, cls):
            own = [f for f in list_methods(owner) if f.name == name]
            if own:
                declared = [f for f in own if any(is_contract_decorator(d, owner_source) for d in f.decorator_list)]
                if len(declared) > 1:
                    raise Refusal(f"{node}.{name} is written more than once.", owner_source.places(*own))
                function = (declared or own)[-1]
                fstrings.repair_positions(owner_source, function)
                return owner_source, owner, function
            known_names += [f.name for f in list_methods(owner)]
        raise Refusal(f"{node} has no method {name!r}; {describe_nearest(name, known_names)}.")

    def find_own_method(self, node: str, name: str) -> tuple[Source, ast.ClassDef, Function]:
        """A method that the node's own class writes. Refusal for one that it inherits."""
        source, owner, function = self.find_method(node, name)
        if owner is not self.find_node_class(node)[1]:
            raise Refusal(f"{node}.{name} is inherited from {owner.name}; change it there.", source.places(function))
        return source, owner, function

    def iter_family(self, source: Source, cls: ast.ClassDef, steps: int = 0) -> Iterator[tuple[Source, ast.ClassDef]]:
        """A class and its bases, as far as they are the project's."""
        yield source, cls
        if steps > MAX_STEPS:
            return
        for base in cls.bases:
            base_class = self.resolve_definition(source, base)
            if base_class and isinstance(base_class[1], ast.ClassDef):
                yield from self.iter_family(base_class[0], base_class[1], steps + 1)

    # ---- names

    def resolve_definition(
        self, source: Source, expr: ast.AST, owner: ast.ClassDef | None = None, steps: int = 0
    ) -> Any:
        """`(source, definition)` that a Name or a dotted name stands for, or None."""
        if steps > MAX_STEPS:
            return None
        match expr:
            case ast.Name(id=name):
                bindings = find_bindings(owner.body, name) if owner else []
                bindings = bindings or find_bindings(source.tree.body, name)
                if len(bindings) != 1:
                    return None
                return self._follow_binding(source, bindings[0], name, steps)
            case ast.Attribute(value=value, attr=attr):
                module = self.resolve_module(source, value)
                if module is not None:
                    return self.resolve_definition(module, ast.Name(attr, ast.Load()), None, steps + 1)
                inner = self.resolve_definition(source, value, owner, steps + 1)
                if inner and isinstance(inner[1], ast.ClassDef):
                    attribute_bindings = find_bindings(inner[1].body, attr)
                    return (
                        self._follow_binding(inner[0], attribute_bindings[0], attr, steps)
                        if len(attribute_bindings) == 1
                        else None
                    )
        return None

    def _follow_binding(self, source: Source, node: ast.AST, name: str, steps: int) -> Any:
        if isinstance(node, ast.ImportFrom):
            original = next(a.name for a in node.names if (a.asname or a.name) == name)
            module = self.find_imported_module(source, node.module or "", node.level)
            return self.resolve_definition(module, ast.Name(original, ast.Load()), None, steps + 1) if module else None
        if isinstance(node, ast.Assign | ast.AnnAssign):
            if isinstance(node.value, ast.Name | ast.Attribute):
                return self.resolve_definition(source, node.value, None, steps + 1) or (source, node.value)
            return (source, node.value) if node.value is not None else None
        return (source, node) if isinstance(node, ast.ClassDef) else None

    def resolve_module(self, source: Source, expr: ast.AST) -> Source | None:
        name = dotted_name(expr)
        if not name:
            return None
        head, _, rest = name.partition(".")
        for node in find_bindings(source.tree.body, head):
            if isinstance(node, ast.Import):
                alias = next(a for a in node.names if (a.asname or a.name.partition(".")[0]) == head)
                full = alias.name if alias.asname else head
                return self.find_imported_module(source, f"{full}.{rest}" if rest else full, 0)
            if isinstance(node, ast.ImportFrom) and not rest:
                name = next(a.name for a in node.names if (a.asname or a.name) == head)
                base = f"{node.module}.{name}" if node.module else name
                return self.find_imported_module(source, base, node.level)
        return None

    def find_imported_module(self, source: Source, module: str, level: int) -> Source | None:
        folder = posixpath.dirname(source.path)
        for _ in range(level - 1):
            folder = posixpath.dirname(folder)
        bases = [folder]
        while not level and bases[-1]:
            bases.append(posixpath.dirname(bases[-1]))
        if not level:  # the root first, then the folders around the file, nearest first
            bases = ["", *bases[:-1]]
        stems = [posixpath.join(base, module.replace(".", "/")).rstrip("/") for base in bases]
        candidates = [path for stem in stems for path in (f"{stem}.py", posixpath.join(stem, "__init__.py"))]
        # A listed file is meant before one of the project that the graph does not list.
        target = next((path for path in candidates if path in self.paths or path in self._sources), None)
        target = target or next((path for path in candidates if self._read(path) is not None), None)
        return self.read_source(target) if target is not None else None

    def build_resolver(self, source: Source) -> Callable[[str], Any]:
        """The look-up that `contracts.static.read` wants, as seen from a file."""

        def resolve(name: str) -> Any:
            try:
                definition = self.resolve_definition(source, ast.parse(name, mode="eval").body)
            except (SyntaxError, ValueError):
                return None
            return (definition[1], self.build_resolver(definition[0])) if definition else None

        return resolve


def _can_parse_in_part(old: Source, edits: list[Edit]) -> bool:
    """Whether the edits lie in one statement of the file, and it parses by itself afterwards.

    Then the whole file parses: a statement that begins and ends with a line, at the margin, is read alone as it is read
    among others, and those are untouched. False says nothing: parse the whole file.
    """
    first, last = min(e.start for e in edits), max(e.end for e in edits)
    body = old.tree.body
    for i, statement in enumerate(body):
        heads = [old.span(d)[0] for d in getattr(statement, "decorator_list", ())]
        start, end = old.line_start(min([old.span(statement)[0], *heads])), old.next_line(old.span(statement)[1])
        if not (start < first and last < end):
            continue
        below = old.span(body[i + 1])[0] if i + 1 < len(body) else len(old)
        above = old.span(body[i - 1])[1] if i else 0
        part = splice(old.data[start:end], [Edit(e.start - start, e.end - start, e.new) for e in edits])
        if below < end or (i and above > start) or not part.endswith((b"\n", b"\r")) or start == 0:
            return False
        if part.rstrip(b"\r\n").endswith(b"\\"):
            return False
        try:
            statements = ast.parse(part.decode()).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return len(statements) == 1 and type(statements[0]) is type(statement)
    return False


def iter_classes(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    """Every class of a file with its qualified name, as a scan names it (`Outer.Inner`): conditional ones with them."""
    for child in ast.iter_child_nodes(tree):
        name = outer
        if isinstance(child, ast.ClassDef):
            name = f"{outer}.{child.name}" if outer else child.name
            yield name, child
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from iter_classes(child, name)


def list_methods(cls: ast.ClassDef) -> list[Function]:
    """The methods of a class, those under an `if` or a `try` as well."""
    return [s for s in _iter_statements(cls.body) if isinstance(s, FUNCTIONS)]


def find_bindings(body: Iterable[ast.stmt], name: str) -> list[ast.AST]:
    """The statements of a block that bind `name`; those under an `if` or a `try` as well."""
    statements: list[ast.AST] = []
    for node in _iter_statements(body):
        match node:
            case ast.Assign() if any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
                statements.append(node)
            case ast.AnnAssign(target=ast.Name(id=n)) if n == name:
                statements.append(node)
            case ast.ClassDef(name=n) | ast.FunctionDef(name=n) | ast.AsyncFunctionDef(name=n) if n == name:
                statements.append(node)
            case ast.ImportFrom() if any((a.asname or a.name) == name for a in node.names):
                statements.append(node)
            case ast.Import() if any((a.asname or a.name.partition(".")[0]) == name for a in node.names):
                statements.append(node)
    return statements


def _iter_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            for part in ("body", "handlers", "orelse", "finalbody"):
                for inner in getattr(node, part, ()):
                    yield from _iter_statements(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def is_graphbus_decorator(decorator: ast.AST, name: str, source: Source) -> bool:
    """Whether a decorator is `name` of graphbus, under whatever name this file imports it."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    if isinstance(target, ast.Attribute):
        return target.attr == name
    if not isinstance(target, ast.Name):
        return False
    if target.id == name:
        return True
    return any(
        isinstance(b, ast.ImportFrom) and any(a.asname == target.id and a.name == name for a in b.names)
        for b in find_bindings(source.tree.body, target.id)
    )


def is_contract_decorator(decorator: ast.AST, source: Source) -> bool:
    """Whether a decorator declares a contract."""
    return is_graphbus_decorator(decorator, "schema_method", source) or is_graphbus_decorator(
        decorator, "contract", source
    )


def describe_nearest(name: str, candidates: Iterable[str]) -> str:
    """The nearest of the known names, in words."""
    names = list(dict.fromkeys(candidates))
    near = suggest_names(name, names, 3)
    if near:
        return f"the nearest are {', '.join(near)}"
    return f"known are {', '.join(names[:10])}" if names else "none are known"
