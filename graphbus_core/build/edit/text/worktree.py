"""The files that one commit works on: read once, edited in memory, and the names, classes and methods in them.

Names are followed through assignments and imports between the project's own files. Nothing is imported.
"""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text import fstrings
from graphbus_core.build.edit.text.source import Edit, Source, splice
from graphbus_core.build.understand.keys.scope import FUNCTIONS, Function
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.nearest import near_names
from graphbus_core.syntax import dotted

if TYPE_CHECKING:
    from graphbus_core.build.edit.followed.checker import Checker

MAX_STEPS = 40  # aliases of aliases


class Worktree:
    """`read(path)` gives a file's bytes, or None where it may not be read; `paths` are the project's Python files."""

    def __init__(
        self,
        read: Callable[[str], bytes | None],
        agents: Iterable[AgentDefinition],
        paths: Iterable[str] = (),
        checker: Checker | None = None,
    ) -> None:
        self.checker = checker
        self.agents = {a.name: a for a in agents}
        self.paths = tuple(sorted({*paths, *(a.source_file for a in self.agents.values())}))
        self._read = read
        self._sources: dict[str, Source] = {}
        self.before: dict[str, Source] = {}
        self.created: set[str] = set()

    def source(self, path: str) -> Source:
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

    def is_own(self, top: str) -> bool:
        """Whether a top-level module is of the project, and none that was installed."""
        return any(path == f"{top}.py" or path.startswith(f"{top}/") for path in self.paths)

    def create(self, path: str, raw: bytes) -> None:
        """Make a file that was not there; an empty one stands for it in `before`."""
        self._sources[path], self.before[path] = Source(path, raw), Source(path, b"")
        self.created.add(path)

    def edit(self, edits: dict[str, list[Edit]]) -> None:
        """Make edits; each file must parse afterwards, else Refusal and nothing is changed."""
        made = {path: self.source(path).edited(some) for path, some in edits.items() if some}
        for path, source in made.items():
            if not _parses_in_part(self.source(path), edits[path]):
                _ = source.tree
        self._sources.update(made)

    def changed(self) -> dict[str, tuple[bytes, bytes]]:
        """Path -> bytes before and after, for each file whose bytes differ."""
        return {
            path: (self.before[path].raw, now.raw)
            for path, now in sorted(self._sources.items())
            if now.raw != self.before[path].raw
        }

    # ---- nodes

    def agent(self, name: str) -> AgentDefinition:
        """A node by name. Raises Refusal with the nearest names."""
        found = self.agents.get(name)
        if found is None:
            raise Refusal(f"there is no node {name!r}; {nearest(name, self.agents)}.")
        return found

    def node(self, name: str) -> tuple[Source, ast.ClassDef]:
        """The class of a node. Raises Refusal where it is not there, or written more than once."""
        agent = self.agent(name)
        source = self.source(agent.source_file)
        written = list(classes(source.tree))
        found = [c for name, c in written if name == agent.class_name]
        found = found or [c for _, c in written if c.name == agent.class_name]
        if len(found) > 1 and agent.metadata.get("lineno"):
            found = [c for c in found if c.lineno == agent.metadata["lineno"]] or found
        if not found:
            raise Refusal(f"{source.path} has no class {agent.class_name}.")
        if len(found) > 1:
            raise Refusal(
                f"{agent.class_name} is written {len(found)} times in {source.path}; which one is meant?",
                source.places(*found),
            )
        return source, found[0]

    def method(self, node: str, name: str) -> tuple[Source, ast.ClassDef, Function]:
        """A method of a node, its own or inherited from a class of the project. Refusal with the nearest names."""
        source, cls = self.node(node)
        seen: list[str] = []
        for at, owner in self.family(source, cls):
            own = [f for f in functions(owner) if f.name == name]
            if own:
                declared = [f for f in own if any(is_contract(d, at) for d in f.decorator_list)]
                if len(declared) > 1:
                    raise Refusal(f"{node}.{name} is written more than once.", at.places(*own))
                function = (declared or own)[-1]
                fstrings.mend(at, function)
                return at, owner, function
            seen += [f.name for f in functions(owner)]
        raise Refusal(f"{node} has no method {name!r}; {nearest(name, seen)}.")

    def own_method(self, node: str, name: str) -> tuple[Source, ast.ClassDef, Function]:
        """A method that the node's own class writes. Refusal for one that it inherits."""
        source, owner, function = self.method(node, name)
        if owner is not self.node(node)[1]:
            raise Refusal(f"{node}.{name} is inherited from {owner.name}; change it there.", source.places(function))
        return source, owner, function

    def family(self, source: Source, cls: ast.ClassDef, steps: int = 0) -> Iterator[tuple[Source, ast.ClassDef]]:
        """A class and its bases, as far as they are the project's."""
        yield source, cls
        if steps > MAX_STEPS:
            return
        for base in cls.bases:
            found = self.lookup(source, base)
            if found and isinstance(found[1], ast.ClassDef):
                yield from self.family(found[0], found[1], steps + 1)

    # ---- names

    def lookup(self, source: Source, expr: ast.AST, owner: ast.ClassDef | None = None, steps: int = 0) -> Any:
        """`(source, definition)` that a Name or a dotted name stands for, or None."""
        if steps > MAX_STEPS:
            return None
        match expr:
            case ast.Name(id=name):
                bindings = binding(owner.body, name) if owner else []
                bindings = bindings or binding(source.tree.body, name)
                if len(bindings) != 1:
                    return None
                return self._follow(source, bindings[0], name, steps)
            case ast.Attribute(value=value, attr=attr):
                module = self.module_of(source, value)
                if module is not None:
                    return self.lookup(module, ast.Name(attr, ast.Load()), None, steps + 1)
                inner = self.lookup(source, value, owner, steps + 1)
                if inner and isinstance(inner[1], ast.ClassDef):
                    found = binding(inner[1].body, attr)
                    return self._follow(inner[0], found[0], attr, steps) if len(found) == 1 else None
        return None

    def _follow(self, source: Source, node: ast.AST, name: str, steps: int) -> Any:
        if isinstance(node, ast.ImportFrom):
            original = next(a.name for a in node.names if (a.asname or a.name) == name)
            module = self.imported(source, node.module or "", node.level)
            return self.lookup(module, ast.Name(original, ast.Load()), None, steps + 1) if module else None
        if isinstance(node, ast.Assign | ast.AnnAssign):
            if isinstance(node.value, ast.Name | ast.Attribute):
                return self.lookup(source, node.value, None, steps + 1) or (source, node.value)
            return (source, node.value) if node.value is not None else None
        return (source, node) if isinstance(node, ast.ClassDef) else None

    def module_of(self, source: Source, expr: ast.AST) -> Source | None:
        name = dotted(expr)
        if not name:
            return None
        head, _, rest = name.partition(".")
        for node in binding(source.tree.body, head):
            if isinstance(node, ast.Import):
                alias = next(a for a in node.names if (a.asname or a.name.partition(".")[0]) == head)
                full = alias.name if alias.asname else head
                return self.imported(source, f"{full}.{rest}" if rest else full, 0)
            if isinstance(node, ast.ImportFrom) and not rest:
                name = next(a.name for a in node.names if (a.asname or a.name) == head)
                base = f"{node.module}.{name}" if node.module else name
                return self.imported(source, base, node.level)
        return None

    def imported(self, source: Source, module: str, level: int) -> Source | None:
        here = posixpath.dirname(source.path)
        for _ in range(level - 1):
            here = posixpath.dirname(here)
        bases = [here]
        while not level and bases[-1]:
            bases.append(posixpath.dirname(bases[-1]))
        if not level:  # the root first, then the folders around the file, nearest first
            bases = ["", *bases[:-1]]
        stems = [posixpath.join(base, module.replace(".", "/")).rstrip("/") for base in bases]
        found = [path for stem in stems for path in (f"{stem}.py", posixpath.join(stem, "__init__.py"))]
        # A listed file is meant before one of the project that the graph does not list.
        known = next((path for path in found if path in self.paths or path in self._sources), None)
        known = known or next((path for path in found if self._read(path) is not None), None)
        return self.source(known) if known is not None else None

    def resolver(self, source: Source) -> Callable[[str], Any]:
        """The look-up that `contracts.static.read` wants, as seen from a file."""

        def resolve(name: str) -> Any:
            try:
                found = self.lookup(source, ast.parse(name, mode="eval").body)
            except (SyntaxError, ValueError):
                return None
            return (found[1], self.resolver(found[0])) if found else None

        return resolve


def _parses_in_part(old: Source, edits: list[Edit]) -> bool:
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
            found = ast.parse(part.decode()).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return len(found) == 1 and type(found[0]) is type(statement)
    return False


def classes(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, ast.ClassDef]]:
    """Every class of a file with its qualified name, as a scan names it (`Outer.Inner`): conditional ones with them."""
    for child in ast.iter_child_nodes(tree):
        name = outer
        if isinstance(child, ast.ClassDef):
            name = f"{outer}.{child.name}" if outer else child.name
            yield name, child
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from classes(child, name)


def functions(cls: ast.ClassDef) -> list[Function]:
    """The methods of a class, those under an `if` or a `try` as well."""
    return [s for s in _statements(cls.body) if isinstance(s, FUNCTIONS)]


def binding(body: Iterable[ast.stmt], name: str) -> list[ast.AST]:
    """The statements of a block that bind `name`; those under an `if` or a `try` as well."""
    found: list[ast.AST] = []
    for node in _statements(body):
        match node:
            case ast.Assign() if any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
                found.append(node)
            case ast.AnnAssign(target=ast.Name(id=n)) if n == name:
                found.append(node)
            case ast.ClassDef(name=n) | ast.FunctionDef(name=n) | ast.AsyncFunctionDef(name=n) if n == name:
                found.append(node)
            case ast.ImportFrom() if any((a.asname or a.name) == name for a in node.names):
                found.append(node)
            case ast.Import() if any((a.asname or a.name.partition(".")[0]) == name for a in node.names):
                found.append(node)
    return found


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            for part in ("body", "handlers", "orelse", "finalbody"):
                for inner in getattr(node, part, ()):
                    yield from _statements(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def is_call(decorator: ast.AST, name: str, source: Source) -> bool:
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
        for b in binding(source.tree.body, target.id)
    )


def is_contract(decorator: ast.AST, source: Source) -> bool:
    """Whether a decorator declares a contract."""
    return is_call(decorator, "schema_method", source) or is_call(decorator, "contract", source)


def nearest(name: str, known: Iterable[str]) -> str:
    """The nearest of the known names, in words."""
    names = list(dict.fromkeys(known))
    near = near_names(name, names, 3)
    if near:
        return f"the nearest are {', '.join(near)}"
    return f"known are {', '.join(names[:10])}" if names else "none are known"
