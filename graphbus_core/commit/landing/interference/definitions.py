"""The definitions of a tree of Python files, and which of them a name means at a place. Text in, no imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from graphbus_core.commit.landing.texts import parse
from graphbus_core.editing.scope import is_test_file
from graphbus_core.module_origin import is_standard

MAX_STEPS = 8  # of imports that hand a name on, and of bases

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class Definition:
    """A function, a class, or the value of a name; `owner` is the class that it stands in."""

    path: str
    name: str
    node: ast.AST
    owner: ast.ClassDef | None = None

    @property
    def line(self) -> int:
        return getattr(self.node, "lineno", 0)


@dataclass(frozen=True)
class Foreign:
    """What no file of the tree tells: a library's, or what is made at run time."""


FOREIGN = Foreign()
Meaning = Definition | Foreign | None  # None: the tree tells that there is nothing of that name


class Module:
    """One file: what its names mean at the top, and what it imports."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.path, self.tree = path, tree

    @cached_property
    def names(self) -> dict[str, ast.AST]:
        """Name -> its definition, the value that it is given, or the import that brings it."""
        return dict(_read_names(self.tree.body))

    @cached_property
    def is_open(self) -> bool:
        """Whether it may have names that its text does not tell."""
        return any(
            name == "__getattr__" or (isinstance(node, ast.ImportFrom) and name == "*")
            for name, node in self.names.items()
        )

    @cached_property
    def members(self) -> list[tuple[str, ast.AST, ast.ClassDef]]:
        """Every member of every class: name, definition, class."""
        return [
            (name, value, node)
            for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)
            for name, value in {**dict(_read_attributes(node)), **dict(_read_names(node.body))}.items()
        ]  # fmt: skip


def _read_names(body: list[ast.stmt]) -> Iterator[tuple[str, ast.AST]]:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, statement
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                for alias in aliases:
                    yield alias.asname or alias.name.partition(".")[0], statement
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, statement
            case ast.Assign(targets=targets):
                for node in (n for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)):
                    if isinstance(node.ctx, ast.Store):  # `TABLE["x"] = y` gives no name a value
                        yield node.id, statement
        for block in ("body", "orelse", "finalbody"):
            if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from _read_names(getattr(statement, block, []))
        for handler in getattr(statement, "handlers", []):
            yield from _read_names(handler.body)


class Project:
    """Some files of a tree. What is not among them is foreign. A file that `known` projects have, too, is read once."""

    def __init__(self, files: Mapping[str, bytes], *known: Project) -> None:
        self.files = files
        self.modules: dict[str, Module] = {}
        for path, data in files.items():
            if not path.endswith(".py"):
                continue  # names in quotes may stand there
            holder = next((p for p in known if p.files.get(path) == data), None)
            if holder is not None:
                if path in holder.modules:
                    self.modules[path] = holder.modules[path]
                continue
            tree = parse(data)
            if tree is not None:  # another gate tells of it
                self.modules[path] = Module(path, tree)

    def list_changed(self, since: Project) -> list[str]:
        """The files that are not as another project has them."""
        return [path for path in self.modules if self.files[path] != since.files.get(path)]

    def find_module(self, path: str, level: int, dotted: str) -> str | None:
        """The file of a module, as an import in another file names it."""
        return find_module(self.modules, path, level, dotted)

    def find_name(self, path: str, name: str, steps: int = 0) -> Meaning:
        """What a name of a module means."""
        module = self.modules.get(path)
        if module is None or steps > MAX_STEPS:
            return FOREIGN
        node = module.names.get(name)
        match node:
            case None:
                return FOREIGN if module.is_open else None
            case ast.ImportFrom(module=dotted, level=level):
                source = next(a.name for a in node.names if name == (a.asname or a.name.partition(".")[0]))
                return self.find_imported(path, level, dotted or "", source, steps + 1)
            case ast.Import():
                return FOREIGN
        return Definition(path, name, node)

    def find_imported(self, path: str, level: int, dotted: str, name: str, steps: int = 0) -> Meaning:
        """What `from dotted import name` brings."""
        if self.find_module(path, level, f"{dotted}.{name}" if dotted else name) is not None:
            return FOREIGN  # a module, not a name in one
        target = self.find_module(path, level, dotted)
        return FOREIGN if target is None else self.find_name(target, name, steps)

    def find_class(self, path: str, expression: ast.AST | None) -> Definition | None:
        """The class that an expression names: a base, an annotation, a constructor."""
        match expression:
            case ast.Constant(value=str() as text):
                try:
                    return self.find_class(path, ast.parse(text, mode="eval").body)
                except SyntaxError:
                    return None
            case ast.BinOp(left=left, right=ast.Constant(value=None), op=ast.BitOr()):
                return self.find_class(path, left)
            case ast.Name(id=name):
                meaning = self.find_name(path, name)
            case ast.Attribute(value=ast.Name(id=head), attr=name):
                meaning = self.find_in_module(path, head, name)
            case _:
                return None
        is_class = isinstance(meaning, Definition) and isinstance(meaning.node, ast.ClassDef)
        return meaning if is_class and isinstance(meaning, Definition) else None

    def find_in_module(self, path: str, head: str, name: str) -> Meaning:
        """What `head.name` means, where `head` is an imported module."""
        module = self.modules.get(path)
        node = module.names.get(head) if module else None
        target = None
        if isinstance(node, ast.Import):
            dotted = next((a.name for a in node.names if head == (a.asname or a.name)), "")
            target = self.find_module(path, 0, dotted) if dotted else None
        elif isinstance(node, ast.ImportFrom):
            source = next((a.name for a in node.names if head == (a.asname or a.name)), head)
            target = self.find_module(path, node.level, f"{node.module}.{source}" if node.module else source)
        return FOREIGN if target is None else self.find_name(target, name)

    def find_keys(self, path: str, node: ast.AST, steps: int = 0) -> list[str]:
        """The names in quotes of a table, or of the tables in it, as far as the text tells them."""
        match node:
            case ast.Dict(keys=keys, values=values):
                inner = [v for v in values if isinstance(v, ast.Dict)]
                if inner and steps == 0:
                    return [name for value in inner for name in self.find_keys(path, value, 1)]
                return [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
            case ast.Subscript(value=ast.Name() as table):
                return self.find_keys(path, table, steps)
            case ast.Name(id=name):
                meaning = self.find_name(path, name)
                value = getattr(meaning.node, "value", None) if isinstance(meaning, Definition) else None
                return self.find_keys(path, value, steps) if isinstance(value, ast.Dict) else []
        return []

    def find_member(self, owner: Definition, name: str, steps: int = 0, *, inherited: bool = False) -> Meaning:
        """What a class has under a name, itself or by its bases; `inherited`: by its bases alone."""
        assert isinstance(owner.node, ast.ClassDef)
        if steps > MAX_STEPS:
            return FOREIGN
        if not inherited:
            node = dict(_read_names(owner.node.body)).get(name) or _find_attribute(owner.node, name)
            if node is not None:
                return Definition(owner.path, f"{owner.name}.{name}", node, owner.node)
        is_foreign = False
        for expression in owner.node.bases:
            base = self.find_class(owner.path, expression)
            if base is None:
                is_foreign = is_foreign or not (isinstance(expression, ast.Name) and expression.id == "object")
                continue
            meaning = self.find_member(base, name, steps + 1)
            if isinstance(meaning, Definition):
                return meaning
            is_foreign = is_foreign or meaning is FOREIGN
        return FOREIGN if is_foreign else None

    @cached_property
    def _code(self) -> dict[str, Module]:
        """The files that do not test: code leans on none of those, whatever their names."""
        return {path: module for path, module in self.modules.items() if not is_test_file(path)}

    @cached_property
    def classes(self) -> dict[str, list[Definition]]:
        """The classes at the top of a file of code, by their names without case and lines."""
        found: dict[str, list[Definition]] = {}
        for path, module in self._code.items():
            for node in module.tree.body:
                if isinstance(node, ast.ClassDef):
                    found.setdefault(node.name.replace("_", "").lower(), []).append(Definition(path, node.name, node))
        return found

    @cached_property
    def members(self) -> dict[str, list[Definition]]:
        """Every member of every class of code, by its name alone."""
        found: dict[str, list[Definition]] = {}
        for path, module in self._code.items():
            for name, value, owner in module.members:
                found.setdefault(name, []).append(Definition(path, f"{owner.name}.{name}", value, owner))
        return found


def find_module(paths: Mapping[str, object], path: str, level: int, dotted: str) -> str | None:
    """The path of a module among others, as an import in one of them names it."""
    tail = dotted.replace(".", "/")
    if level:
        folder = path.split("/")[:-level] if level <= path.count("/") + 1 else []
        head = "/".join([*folder, *([tail] if tail else [])])
        names = [f"{head}.py", f"{head}/__init__.py"] if head else ["__init__.py"]
        return next((name for name in names if name in paths), None)
    names = [f"{tail}.py", f"{tail}/__init__.py"]
    exact = next((name for name in names if name in paths), None)
    if exact is not None or is_standard(dotted):
        return exact  # `html` is the library's, however many folders have a file of that name
    return next((p for p in paths for name in names if p.endswith(f"/{name}")), None)


def _read_attributes(owner: ast.ClassDef) -> Iterator[tuple[str, ast.AST]]:
    for statement in ast.walk(owner):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                yield target.attr, statement


def _find_attribute(owner: ast.ClassDef, name: str) -> ast.AST | None:
    return dict(_read_attributes(owner)).get(name)
