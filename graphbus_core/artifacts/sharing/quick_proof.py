"""A proof in one pass, for most nodes: nothing that outlives an event is within reach of their code.

Who cannot name a lasting object cannot change it. So it is enough to read the names in the code that an event may run:

    locals              what came with the event, or was made for it
    constants           numbers and texts of the module or of the class
    functions, classes  of the project, where they are called, and nowhere else: their code is read in turn
    the library         builtins that only compute, and the functions of `library.PURE_MODULES`
    self                `self.method`, `self.CONSTANT`, `self.publish`, and nothing else

Any attribute may be set on what these give, any method called: it goes with the event. A method counts as run where a
class is made, or given as a hint, and its name is used. A name that nobody could have bound to anything else must be
one: a module that binds one twice, by `global`, or that sets attributes of anything but `self`, is left to `engine`, as
is all else that is not listed here. So what is not proved here may still be shown there.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from graphbus_core.artifacts.peers import KEPT, Uses
from graphbus_core.artifacts.sharing import library
from graphbus_core.syntax import dotted_name, list_nodes

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import LoadModule
    from graphbus_core.artifacts.sharing.target import Target

_NODE_BASES = frozenset(("graphbus_core.GraphBusNode", "graphbus_core.node_base.GraphBusNode"))
_SETUP = frozenset(("propose", "evaluate", "commit"))  # never while an event is handled
_OF_NODES = frozenset(("publish", "apublish"))
_COMPUTING = frozenset(
    (
        *("len", "str", "int", "float", "bool", "complex", "bytes", "range", "abs", "round", "all", "any", "repr"),
        *("ord", "chr", "divmod", "pow", "format", "bin", "hex", "oct", "list", "dict", "set", "tuple", "sorted"),
        *("bytearray", "frozenset", "max", "min", "sum", "zip", "map", "filter", "enumerate", "reversed", "print"),
        *("isinstance",),
    )
)
_ERRORS = frozenset(n for n, v in vars(builtins).items() if isinstance(v, type) and issubclass(v, BaseException))
_BUILTINS = frozenset(dir(builtins))
# By these a module may reach what it does not name.
_REACHING = frozenset(
    (
        *("setattr", "delattr", "globals", "vars", "locals", "exec", "eval", "sys", "gc", "importlib", "inspect"),
        *("ctypes", "__dict__", "__class__", "__globals__", "__setattr__", "__delattr__"),
    )
)
_Defined = ast.FunctionDef | ast.AsyncFunctionDef
MAX_IMPORTS = 5  # of a name that is handed on


@dataclass(slots=True)
class _ModuleNames:
    """What each name of a module stands for: a definition, a constant's value, or (module, name) of an import."""

    bound: dict[str, ast.AST | tuple[str, str]] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)  # bound twice, or under a condition
    is_tame: bool = True  # none of its code changes what a name or a class stands for


@lru_cache(maxsize=64)
def _read_module(tree: ast.Module) -> _ModuleNames:
    names = _ModuleNames()
    for statement in tree.body:
        _bind_statement(statement, names)
    names.is_tame = names.is_tame and all(_is_tame(node, names) for node in list_nodes(tree.body))
    return names


def _is_tame(node: ast.AST, names: _ModuleNames) -> bool:
    """Whether this part of a module changes no attribute of anything but `self`, and nothing by its name."""
    kind = node.__class__  # compared by hand: every part of every module comes by here
    if kind is ast.Name:
        return node.id not in _REACHING and (node.id != "self" or node.ctx.__class__ is ast.Load)  # type: ignore[attr-defined]
    if kind is ast.Attribute:
        if node.attr in _REACHING:  # type: ignore[attr-defined]
            return False
        return node.ctx.__class__ is ast.Load or _is_name(node.value, "self")  # type: ignore[attr-defined]
    if kind is ast.Global:
        names.unsure.update(node.names)  # type: ignore[attr-defined]
    elif kind is ast.ClassDef:
        return not node.keywords and not any(dotted_name(base) == "type" for base in node.bases)  # type: ignore[attr-defined]
    return True


def _bind_statement(statement: ast.stmt, names: _ModuleNames) -> None:
    bound: dict[str, ast.AST | tuple[str, str]] = {}
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            bound[name] = statement
        case ast.ImportFrom(module=str(module), names=aliases, level=0):
            bound = {alias.asname or alias.name: (module, alias.name) for alias in aliases}
            names.is_tame = names.is_tame and "*" not in bound
        case ast.Import(names=aliases):
            bound = {a.asname or a.name: (a.name, "") for a in aliases if a.asname or "." not in a.name}
            names.unsure.update(a.name.partition(".")[0] for a in aliases if not a.asname and "." in a.name)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            bound[name] = value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            bound[name] = value
        case ast.Expr(value=ast.Constant()):
            pass
        case _:
            names.unsure.update(map(_get_bound_name, list_nodes([statement])))
    names.unsure.update(bound.keys() & names.bound.keys())
    names.bound |= bound


def _get_bound_name(node: ast.AST) -> str:
    """The name that it may bind."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.alias(asname=str(name)):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.alias(name=name):
            return name.partition(".")[0]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return name
        case ast.MatchMapping(rest=str(name)):
            return name
    return ""


class _Refused(Exception):
    """It is not shown here."""


def prove(target: Target, load: LoadModule) -> Uses | None:
    """What it reads of modules and classes, where it is shown here already that it keeps nothing, and changes nothing
    that lasts; else None."""
    proof = _Proof(load)
    try:
        proof.run(target)
    except _Refused:
        return None
    used = (f"{name}:{KEPT}" for name in proof.library)
    return Uses(frozenset((*proof.list_read(), *used)), loads=(target.module,))


class _Proof:
    """Reads what an event may run, and raises _Refused at the first thing that is not listed above."""

    def __init__(self, load: LoadModule) -> None:
        self._load = load
        self._node: dict[ast.ClassDef, str] = {}  # of which the node is, and its module
        self._waiting: list[tuple[str, _Defined, ast.ClassDef | None]] = []  # the class where `self` is a node of it
        self._reached: set[ast.AST] = set()
        self._made: dict[ast.ClassDef, str] = {}  # classes of which an event may have an object, and their modules
        self._used: set[str] = set()  # names of attributes
        self._read: set[str] = set()  # names of modules: another node could bind them anew
        self.library = {"builtins"}  # what is used of it, by dotted names

    def run(self, target: Target) -> None:
        """Raises _Refused."""
        if target.functions:
            for name in target.functions:
                module, function = self._find(target.module, name)
                if not isinstance(function, _Defined):
                    raise _Refused
                self._read_hints(module, function)
                self._reach(module, function)
        else:
            module, node = self._find(target.module, target.class_name)
            if not isinstance(node, ast.ClassDef):
                raise _Refused
            self._check_class(module, node)
            self._node = {node: module}
            for function in _list_methods(node):
                if function.name.startswith("__"):
                    raise _Refused
                if function.name not in _SETUP or function.decorator_list or function.name in target.handlers:
                    self._read_hints(module, function)
                    self._reach(module, function, node)
        while self._waiting:
            self._read_function(*self._waiting.pop())
            if not self._waiting:
                self._reach_methods()

    def list_read(self) -> set[str]:
        """Names of modules, and of classes: `uses` says how these are written."""
        return self._read | {
            f"{module}:{cls.lineno}.{name}"
            for cls, module in (self._node | self._made).items()
            for name in {function.name for function in _list_methods(cls)} | _list_constants(cls)
            if name in self._used or name.startswith("__")
        }

    # Names of modules

    def _find(self, module: str, name: str) -> tuple[str, ast.AST]:
        """What a name of a module of the project stands for, and where it is defined."""
        for _ in range(MAX_IMPORTS):
            loaded = self._load(module)
            names = _read_module(loaded[2]) if loaded is not None else None
            if names is None or not names.is_tame or name in names.unsure or name not in names.bound:
                raise _Refused
            bound = names.bound[name]
            self._read.add(f"{module}:{name}")
            if isinstance(bound, ast.AST):
                return module, bound
            module, name = bound
        raise _Refused

    def _resolve(self, module: str, name: str) -> str:
        """The dotted name of what an import of another project, or of Python, brought; else nothing."""
        loaded = self._load(module)
        names = _read_module(loaded[2]) if loaded is not None else _ModuleNames()
        bound = names.bound.get(name)
        if not isinstance(bound, tuple) or name in names.unsure:
            return ""
        return f"{bound[0]}.{bound[1]}".rstrip(".")

    def _is_bound(self, module: str, name: str) -> bool:
        loaded = self._load(module)
        names = _read_module(loaded[2]) if loaded is not None else _ModuleNames()
        return name in names.bound or name in names.unsure

    # Classes

    def _check_class(self, module: str, cls: ast.ClassDef) -> None:
        bases = [self._resolve(module, base.id) or base.id if isinstance(base, ast.Name) else "" for base in cls.bases]
        is_node = _is_node(bases)
        if cls.keywords or not (is_node or all(base in _PLAIN_BASES or base in _ERRORS for base in bases)):
            raise _Refused
        for base in cls.bases:
            if isinstance(base, ast.Name) and base.id in _ERRORS and self._is_bound(module, base.id):
                raise _Refused
        self._check_decorators(module, cls.decorator_list)
        for statement in cls.body:
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._check_decorators(module, statement.decorator_list)
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if not name.startswith("__"):
                    _check_constant(value)
                case ast.AnnAssign(target=ast.Name(id=name), value=value) if not name.startswith("__"):
                    _check_constant(value)
                case ast.Pass() | ast.Expr(value=ast.Constant()):
                    pass
                case _:
                    raise _Refused

    def _check_decorators(self, module: str, decorators: Sequence[ast.expr]) -> None:
        for decorator in decorators:
            head = decorator.func if isinstance(decorator, ast.Call) else decorator
            name = self._resolve(module, head.id) if isinstance(head, ast.Name) else ""
            if not name.startswith("graphbus_core.") or name.rpartition(".")[2] not in library.GRAPHBUS_DECORATORS:
                raise _Refused

    def _make(self, module: str, cls: ast.ClassDef) -> None:
        """An event may have an object of this class."""
        if cls not in self._made:
            self._check_class(module, cls)
            self._made[cls] = module

    def _reach_methods(self) -> None:
        for cls, module in self._made.items():
            bases = [self._resolve(module, base.id) if isinstance(base, ast.Name) else "" for base in cls.bases]
            for function in _list_methods(cls):
                if function.name in self._used or function.name.startswith("__"):
                    self._reach(module, function, cls if _is_node(bases) else None)

    def _read_hints(self, module: str, function: _Defined) -> None:
        """Where a hint names a class of the project, an object of it may come with the event."""
        self._read_hint(module, [arg.annotation for arg in _list_parameters(function.args)])

    def _read_hint(self, module: str, hints: Sequence[ast.expr | None]) -> None:
        for part in list_nodes([hint for hint in hints if hint is not None]):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                raise _Refused  # a hint in quotes
            if not isinstance(part, ast.Name) or not self._is_bound(module, part.id):
                continue
            resolved = self._resolve(module, part.id)
            self.library |= {resolved} - {""}
            if not resolved or self._load(resolved.rpartition(".")[0] or resolved) is not None:
                where, definition = self._find(module, part.id)
                if not isinstance(definition, ast.ClassDef):
                    raise _Refused
                if definition not in self._made:
                    self._make(where, definition)
                    self._read_hint(where, [s.annotation for s in definition.body if isinstance(s, ast.AnnAssign)])

    # Functions

    def _reach(self, module: str, function: _Defined, node: ast.ClassDef | None = None) -> None:
        if function not in self._reached:
            self._reached.add(function)
            self._waiting.append((module, function, node))

    def _read_function(self, module: str, function: _Defined, node: ast.ClassDef | None) -> None:
        args = function.args
        for default in (*args.defaults, *args.kw_defaults):
            _check_constant(default)
        parts = _list_parts(function.body)
        parameters = [arg.arg for arg in _list_parameters(args)]
        own = parameters[0] if node is not None and parameters else ""
        called = {part.func for part in parts if isinstance(part, ast.Call)}
        of_self: set[ast.AST] = set()
        of_modules: set[ast.AST] = set()
        for part in parts:
            if isinstance(part, ast.Attribute):
                self._read_attribute(module, part, node if _is_name(part.value, own) else None, called)
                of_self.add(part.value)
                if part in called:
                    of_modules.add(part.value)
            elif isinstance(part, _REFUSED_PARTS) or getattr(part, "decorator_list", None):
                raise _Refused
        local = _list_locals(parts)
        for part in parts:
            if not isinstance(part, ast.Name):
                continue
            if own and part.id == own:
                if part not in of_self:
                    raise _Refused
            elif part.id not in parameters:
                self._read_name(module, part, part.id in local, part in called, part in of_modules)

    def _read_attribute(
        self, module: str, part: ast.Attribute, node: ast.ClassDef | None, called: set[ast.expr]
    ) -> None:
        if part.attr.startswith("__"):
            raise _Refused
        self._used.add(part.attr)
        if node is not None:  # of the node, which lasts
            is_known = part.attr in _list_constants(node) or (
                part in called and (part.attr in _OF_NODES or any(f.name == part.attr for f in _list_methods(node)))
            )
            if not is_known or not isinstance(part.ctx, ast.Load):
                raise _Refused
            if part.attr in _OF_NODES and not node.bases:
                raise _Refused
        elif isinstance(part.value, ast.Name) and part in called:
            head = self._resolve(module, part.value.id)
            if head and not _is_computing(f"{head}.{part.attr}"):
                raise _Refused

    def _read_name(self, module: str, part: ast.Name, is_local: bool, is_called: bool, is_owner: bool) -> None:
        name = part.id
        if not self._is_bound(module, name):
            if name in _BUILTINS and name not in _COMPUTING and name not in _ERRORS:
                raise _Refused
            if name not in _BUILTINS and not is_local:
                raise _Refused
            return
        if is_local:  # the one or the other
            raise _Refused
        resolved = self._resolve(module, name)
        if resolved and self._load(resolved.rpartition(".")[0] or resolved) is None:  # of the library
            if not (is_called and _is_computing(resolved)) and not (is_owner and resolved in library.PURE_MODULES):
                raise _Refused
            self.library.add(resolved)
            return
        where, definition = self._find(module, name)
        match definition:
            case ast.ClassDef() if is_called:
                self._make(where, definition)
            case ast.FunctionDef(decorator_list=[]) | ast.AsyncFunctionDef(decorator_list=[]) if is_called:
                self._reach(where, definition)
            case _:
                _check_constant(definition)


_PLAIN_BASES = frozenset(("object", "typing.TypedDict", "typing.NamedTuple", "typing.Protocol", "abc.ABC"))
_REFUSED_PARTS = (ast.Global, ast.Import, ast.ImportFrom, ast.ClassDef)


def _is_node(bases: Sequence[str]) -> bool:
    return len(bases) == 1 and bases[0] in _NODE_BASES


def _is_name(node: ast.AST, name: str) -> bool:
    return bool(name) and isinstance(node, ast.Name) and node.id == name


def _is_computing(name: str) -> bool:
    """Whether it is a function of the library that gives something new for what it is given, and nothing else."""
    effect = library.find_effect(name)
    if effect is None or effect.gives == "object" or effect.wary:
        return False
    return any(name == f"{module}.{name.rpartition('.')[2]}" for module in library.PURE_MODULES)


def _check_constant(node: ast.AST | None) -> None:
    """Raises _Refused where it is not a number, a text, or a tuple of such."""
    parts = [node] if node is not None else []
    for part in parts:
        match part:
            case ast.Tuple(elts=inner):
                parts += inner
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()) | ast.Constant():
                pass
            case _:
                raise _Refused


def _list_methods(cls: ast.ClassDef) -> list[_Defined]:
    return [statement for statement in cls.body if isinstance(statement, _Defined)]


def _list_constants(cls: ast.ClassDef) -> set[str]:
    targets = [s.targets[0] for s in cls.body if isinstance(s, ast.Assign)]
    targets += [s.target for s in cls.body if isinstance(s, ast.AnnAssign) and s.value is not None]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _list_parameters(args: ast.arguments) -> list[ast.arg]:
    stars = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *stars]


def _list_parts(body: Sequence[ast.AST]) -> list[ast.AST]:
    """All of a body but hints, which are not evaluated there, or name types alone."""
    parts: list[ast.AST] = [*body]
    for part in parts:  # grows while it is read
        for name in part._fields:
            if name in ("annotation", "returns"):
                continue
            value = getattr(part, name, None)
            if value.__class__ is list:
                parts += [item for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST) and value._fields:
                parts.append(value)
    return parts


def _list_locals(parts: Sequence[ast.AST]) -> set[str]:
    return {part.arg if isinstance(part, ast.arg) else _get_bound_name(part) for part in parts}
