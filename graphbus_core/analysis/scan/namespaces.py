"""What the names of a module or class body stand for, read statement by statement. Nothing is run."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass

from graphbus_core.syntax import resolve_module


@dataclass(frozen=True, slots=True)
class ImportedName:
    """A name bound by an import: to a module, or to a module's attribute (which may be a submodule)."""

    module: str
    attribute: str | None = None


@dataclass(frozen=True, slots=True)
class Binding:
    """What one statement binds a name to. `doubt` says that the statement may not run, and why."""

    to: ast.AST | ImportedName
    doubt: str | None = None


class Namespace:
    """The names that a module or class body binds, in order. Conditional statements are looked into."""

    def __init__(self, body: list[ast.stmt], package: str) -> None:
        self.names: dict[str, list[Binding]] = {}
        self.stars: list[str] = []
        self.changed: set[str] = set()  # names whose value is changed in place after it was bound
        self._package = package
        self._read_body(body, None)

    def get(self, name: str) -> Binding | None:
        """What the name stands for when the body has run; None where that is not certain, or not known."""
        bindings = self.names.get(name)
        if not bindings or name in self.changed:
            return None
        sure = [b for b in bindings if b.doubt is None]
        if len(sure) == len(bindings):
            return bindings[-1]
        if sure and bindings[-1].doubt is None:
            return bindings[-1]
        if all(isinstance(b.to, ImportedName) for b in bindings):  # try: from a import x, except: from b import x
            return bindings[0]
        return bindings[0] if len(bindings) == 1 else None

    def _read_body(self, body: list[ast.stmt], doubt: str | None) -> None:
        for statement in body:
            match statement:
                case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                    self._bind(statement.name, statement, doubt)
                case ast.Assign():
                    for target in statement.targets:
                        self._assign(target, statement.value, doubt)
                case ast.AnnAssign(value=ast.expr() as value):
                    self._assign(statement.target, value, doubt)
                case ast.Import() | ast.ImportFrom():
                    self._import(statement, doubt)
                case ast.If():
                    self._read_if(statement, doubt)
                case _:
                    self._read_block(statement, doubt)

    def _read_block(self, statement: ast.stmt, doubt: str | None) -> None:
        match statement:
            case ast.Try() | ast.TryStar():
                self._read_body(statement.body, doubt)
                for handler in statement.handlers:
                    self._read_body(handler.body, "an except branch")
                self._read_body(statement.orelse, doubt)
                self._read_body(statement.finalbody, doubt)
            case ast.With() | ast.AsyncWith():
                self._read_body(statement.body, doubt)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._read_body(statement.body, "a loop")
                self._read_body(statement.orelse, "a loop")
            case _:
                self._note_change(statement)

    def _note_change(self, statement: ast.stmt) -> None:
        """A value that is changed in place is no longer what its statement says: whoever asks is told "unknown"."""
        match statement:
            case ast.AugAssign(target=ast.Name(id=name)):
                self.changed.add(name)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))):
                if method in ("update", "pop", "clear", "setdefault", "append", "extend", "insert", "remove"):
                    self.changed.add(name)
            case ast.Delete():
                self.changed.update(_find_head(t) for t in statement.targets)

    def _read_if(self, statement: ast.If, doubt: str | None) -> None:
        test = statement.test
        text = ast.unparse(test)
        if text.endswith("TYPE_CHECKING") and not text.startswith("not "):
            self._read_body(statement.body, "TYPE_CHECKING")
            self._read_body(statement.orelse, doubt)
        elif "__name__" in text and "__main__" in text and isinstance(test, ast.Compare):
            self._read_body(statement.orelse, doubt)
        elif isinstance(test, ast.Constant):
            self._read_body(statement.body if test.value else statement.orelse, doubt)
        elif (is_met := _evaluate_version_test(test)) is not None:
            self._read_body(statement.body if is_met else statement.orelse, doubt)
        else:
            self._read_body(statement.body, f"`if {text[:60]}`")
            self._read_body(statement.orelse, f"the else of `if {text[:60]}`")

    def _assign(self, target: ast.expr, value: ast.expr, doubt: str | None) -> None:
        match target:
            case ast.Name(id=name):
                self._bind(name, value, doubt)
            case ast.Tuple() | ast.List():
                same = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
                for i, element in enumerate(target.elts):
                    self._assign(element, value.elts[i] if same else ast.Constant(...), doubt)  # type: ignore[attr-defined]
            case ast.Subscript() | ast.Attribute():
                self.changed.add(_find_head(target))

    def _import(self, statement: ast.Import | ast.ImportFrom, doubt: str | None) -> None:
        if isinstance(statement, ast.Import):
            for alias in statement.names:
                module = alias.name if alias.asname else alias.name.partition(".")[0]
                self._bind(alias.asname or module, ImportedName(module), doubt)
            return
        base = resolve_import(statement, self._package)
        for alias in statement.names:
            if alias.name == "*":
                self.stars.append(base)
            else:
                self._bind(alias.asname or alias.name, ImportedName(base, alias.name), doubt)

    def _bind(self, name: str, to: ast.AST | ImportedName, doubt: str | None) -> None:
        self.names.setdefault(name, []).append(Binding(to, doubt))


def resolve_import(statement: ast.ImportFrom, package: str) -> str:
    """The module that a `from … import` names, seen from `package`."""
    return resolve_module(statement.level, statement.module or "", package)


def _find_head(expression: ast.AST) -> str:
    while isinstance(expression, ast.Subscript | ast.Attribute):
        expression = expression.value
    return expression.id if isinstance(expression, ast.Name) else ""


def _evaluate_version_test(test: ast.expr) -> bool | None:
    """`sys.version_info >= (3, 12)`, decided for the Python that runs."""
    match test:
        case ast.Compare(left=left, ops=[op], comparators=[ast.Tuple(elts=elts)]) if ast.unparse(left).endswith(
            "version_info"
        ):
            version = tuple(e.value for e in elts if isinstance(e, ast.Constant) and isinstance(e.value, int))
            have = sys.version_info[: len(version)]
            if isinstance(op, ast.GtE | ast.Gt):
                return have >= version if isinstance(op, ast.GtE) else sys.version_info > version
            if isinstance(op, ast.Lt | ast.LtE):
                return have < version if isinstance(op, ast.Lt) else sys.version_info <= version
    return None
