"""The edits of one operation, gathered over files, with the imports that they need."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from graphbus_core.analysis.scopes import collect_bound_names
from graphbus_core.editing.import_statements import insert_imports, join_names, sort_names
from graphbus_core.editing.source import Edit, Source
from graphbus_core.editing.worktree import Worktree, describe_nearest, find_bindings
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.syntax import STANDARD_TYPES, last_name

_TYPING = frozenset(
    """Any Annotated Optional Union Literal NotRequired Required TypedDict Final ClassVar Callable Iterable Iterator
    List Dict Set FrozenSet Tuple Type Sequence Mapping MutableMapping""".split()  # noqa: SIM905
)
_IN_A_TYPE = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.BinOp, ast.BitOr, ast.Tuple, ast.List, ast.Dict)


@dataclass
class EditPlan:
    """What one operation does to the files."""

    workspace: Worktree
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _imported: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _lines: dict[str, tuple[list[Edit], dict[str, str]]] = field(default_factory=dict)
    _joined: dict[tuple[str, str, int], tuple[list[Edit], list[str]]] = field(default_factory=dict)

    def add(self, source: Source, *edits: Edit) -> None:
        """Note edits of a file; the same edit twice is one."""
        # The same edit twice is one: two fields of one contract may need the same import.
        planned = self.edits.setdefault(source.path, [])
        planned += [e for e in edits if e not in planned]

    def replace(self, source: Source, node: ast.AST, text: str) -> None:
        """Put `text` in the place of a node."""
        start, end = source.span(node)
        self.add(source, Edit(start, end, text.encode()))

    def render_type(self, source: Source, text: str) -> str:
        """A type as it will stand in this file, with what it needs imported. Refusal where it is not a type."""
        tree = parse_type(text)
        type_source = text.strip()
        renamed = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                renamed[node.id] = self.resolve_name(source, node.id)
        for name, local_name in renamed.items():
            # As a whole word, and not behind a dot: `x.Any` is somebody else's.
            if local_name != name:
                type_source = re.sub(rf"(?<![\w.]){name}\b", local_name, type_source)
        return type_source

    def resolve_name(self, source: Source, name: str) -> str:
        """How `name` is written in this file; a word of typing is imported where it is missing."""
        if hasattr(builtins, name) or name in _collect_module_names(source):
            return name
        module = "typing" if name in _TYPING else STANDARD_TYPES.get(name)
        # A star may bring the name, and an import of ours could then change which one is meant.
        if module is None and "*" in _collect_module_names(source):
            return name
        if module is None:
            raise Refusal(
                f"{source.path} does not know the name {name!r}; "
                f"{describe_nearest(name, _collect_module_names(source))}. "
                "Import it in that file first; in a diff, by add_import before this operation."
            )
        return self.ensure_import(source, module, name)

    def ensure_import(self, source: Source, module: str, name: str) -> str:
        """How `name` of a standard module is written in this file, importing it where it is not yet."""
        if name in _collect_module_names(source):
            for statement in find_bindings(source.tree.body, name):
                if isinstance(statement, ast.ImportFrom) and any(a.name == name for a in statement.names):
                    return name
            # Ours under another's name would change what their code means.
            raise Refusal(f"{source.path} uses the name {name!r} for something of its own.")
        key = (source.path, module, name)
        if key not in self._imported:
            self._imported[key] = self._add_import(source, module, name)
        return self._imported[key]

    def _add_import(self, source: Source, module: str, name: str) -> str:
        for node in source.tree.body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == module:
                        return f"{alias.asname or module}.{name}"
        self.join_import_names(source, module, [name])
        return name

    def add_import_statement(self, source: Source, statement: ast.Import | ast.ImportFrom, text: str) -> None:
        """An import as it is written: names join the line that imports from their module, all else gets its own."""
        if isinstance(statement, ast.ImportFrom) and statement.module and not any(a.asname for a in statement.names):
            module, level = statement.module, statement.level
            existing = [node for node in source.tree.body if _is_import_from(node, module, level)]
            imported_names = {alias.name for node in existing for alias in node.names if alias.asname is None}
            self.join_import_names(
                source, module, [a.name for a in statement.names if a.name not in imported_names], level
            )
        else:
            self._plan_import_lines(source, text, text)

    def join_import_names(self, source: Source, module: str, names: Sequence[str], level: int = 0) -> None:
        """Import names from a module: on the line that does so already, else on one line for all of an operation."""
        key = (source.path, module, level)
        edits, known_names = self._joined.get(key, ([], []))
        names = [*known_names, *(name for name in names if name not in known_names)]
        existing = next((node for node in source.tree.body if _is_import_from(node, module, level)), None)
        if existing is None:
            statement = f"from {'.' * level}{module} import {', '.join(sort_names(names))}"
            self._plan_import_lines(source, f"from {'.' * level}{module}", statement)
        else:
            edits = self._replace_planned(source, edits, join_names(source, existing, names))
        self._joined[key] = (edits, names)

    def _plan_import_lines(self, source: Source, module: str, statement: str) -> None:
        """New import lines of a file, planned together: where each stands depends on the others."""
        edits, lines = self._lines.setdefault(source.path, ([], {}))
        lines[module] = statement
        edits[:] = self._replace_planned(
            source, edits, insert_imports(source, [*lines.values()], self.workspace.is_own_module)
        )

    def _replace_planned(self, source: Source, before: list[Edit], edits: list[Edit]) -> list[Edit]:
        """Plan edits in the place of those that were planned when less was known."""
        planned = self.edits.get(source.path, [])
        # What was planned when less was known is taken back, so that one operation makes one import line.
        planned[:] = [edit for edit in planned if edit not in before]
        self.add(source, *edits)
        return edits


def _is_import_from(node: ast.stmt, module: str, level: int) -> TypeGuard[ast.ImportFrom]:
    """Whether a statement imports names from this module."""
    return (
        isinstance(node, ast.ImportFrom)
        and (node.module or "", node.level) == (module, level)
        and node.names[-1].name != "*"
    )


def _collect_module_names(source: Source) -> set[str]:
    names: set[str] | None = source.__dict__.get("_names")
    if names is None:
        names = source.__dict__["_names"] = collect_bound_names(source.tree.body)
    return names


def parse_type(text: str) -> ast.expr:
    """The expression of a type's text. Refusal for what is not a type: calls, code, more than one line."""
    tree = _parse_one_line(text, "type")
    for node in ast.walk(tree):
        if not isinstance(node, (*_IN_A_TYPE, ast.expr_context, ast.UnaryOp, ast.USub)):
            raise Refusal(f"{text!r} is not a type: {type(node).__name__} has no place in one.")
        if isinstance(node, ast.Constant) and isinstance(node.value, complex | float):
            raise Refusal(f"{text!r} is not a type.")
    return tree


def parse_default(text: str) -> ast.expr:
    """The expression of a default's text. Refusal for what is not a single expression."""
    tree = _parse_one_line(text, "default")
    if not _is_plain_value(tree):
        raise Refusal(
            f"the default {text!r} is more than a value. A contract operation takes a literal, a name, or one key of a "
            "name (`payload['qty']`), never a call. Give code in replace_body."
        )
    return tree


def _parse_one_line(text: str, what: str) -> ast.expr:
    """An expression that goes into the middle of a line: a break or a comment in it would end that line."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refusal(f"{text!r} is not a {what}.") from None
    if "\n" in text.strip() or "\r" in text.strip() or "#" in re.sub(r"'[^']*'|\"[^\"]*\"", "", text):
        raise Refusal(f"the {what} {text!r} must stand on one line, without a comment.")
    return tree


def _is_plain_value(node: ast.expr) -> bool:
    """Whether an expression runs nothing: whoever reads the operation sees all that it does."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Subscript(value=ast.Name(), slice=ast.Constant()):
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.List(elts=inner) | ast.Tuple(elts=inner) | ast.Set(elts=inner):
            return all(_is_plain_value(element) for element in inner)
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and _is_plain_value(key) for key in keys) and all(
                _is_plain_value(v) for v in values
            )
    return False


def is_same_expression(a: ast.AST, b: ast.AST) -> bool:
    """Whether two expressions say the same, however they are spaced."""
    return ast.dump(a) == ast.dump(b)


def quote_text(text: str, like: str = '"') -> str:
    """A string literal with the quotes of its neighbour."""
    literal = repr(text)
    if like == '"' and '"' not in literal and literal.startswith("'") and "\\" not in literal:
        return f'"{literal[1:-1]}"'
    return literal


# What the text of a type tells: the type inside its wrappers, whether None fits it, the plain value it starts from.


WRAPPERS = frozenset({"Optional", "NotRequired", "Required", "Annotated", "Final", "ReadOnly", "Union"})


def list_type_arguments(expr: ast.Subscript) -> list[ast.expr]:
    """What stands between the brackets, one by one: `Optional[T]` has one part, `Annotated[T, "text"]` two."""
    return expr.slice.elts if isinstance(expr.slice, ast.Tuple) else [expr.slice]


def exclude_none(parts: list[ast.expr]) -> list[ast.expr]:
    """The sides of a union that are not None."""
    return [p for p in parts if not (isinstance(p, ast.Constant) and p.value is None)]


def unwrap_type(value: ast.expr) -> tuple[ast.expr, bool | None, ast.Subscript | None]:
    """The plain type inside `Annotated[NotRequired[T], …]`, what it says of presence, and the node that says it."""
    marked_optional, by = None, None
    while isinstance(value, ast.Subscript) and last_name(value.value) in ("NotRequired", "Required", "Annotated"):
        word = last_name(value.value)
        if word != "Annotated":
            marked_optional, by = word == "NotRequired", value
        value = value.slice.elts[0] if isinstance(value.slice, ast.Tuple) else value.slice
    return value, marked_optional, by


def accepts_none(tree: ast.AST) -> bool:
    """Whether None is a value of a type, as far as its text tells."""
    match tree:
        case ast.Constant(value=None):
            return True
        case ast.Name(id="Any" | "object") | ast.Attribute(attr="Any"):
            return True
        case ast.BinOp(op=ast.BitOr()):
            return accepts_none(tree.left) or accepts_none(tree.right)
        case ast.Subscript(value=value) if last_name(value) == "Optional":
            return True
        case ast.Subscript(value=value) if last_name(value) in ("Union", "Literal"):
            return any(accepts_none(p) for p in list_type_arguments(tree))
    return False


_PLAIN: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (float, int), "bool": (bool,)}


_STARTS = {"str": '""', "int": "0", "float": "0.0", "bool": "False", "bytes": 'b""', "Any": "None", "object": "None"}
_STARTS |= {"list": "[]", "List": "[]", "dict": "{}", "Dict": "{}", "set": "set()", "Set": "set()"}
_STARTS |= {"tuple": "()", "Sequence": "()"}


def accepts_constant(type_text: str, value: object) -> bool:
    """Whether a plain type takes a constant. A bool is an int in Python alone: in JSON Schema, and for readers, not."""
    accepted_types = _PLAIN.get(type_text.strip())
    return accepted_types is None or (
        isinstance(value, accepted_types) and (bool in accepted_types or not isinstance(value, bool))
    )


def find_plain_default(type_text: str) -> str | None:
    """The plain value that a type starts from; None where there is no obvious one."""
    tree = parse_type(type_text)
    tree = unwrap_type(tree)[0]
    if isinstance(tree, ast.Subscript):
        tree = tree.value if last_name(tree.value) not in ("Literal", "Optional", "Union") else tree
    if isinstance(tree, ast.Dict):
        return "{}"
    if isinstance(tree, ast.List):
        return "[]"
    if accepts_none(tree):
        return "None"
    return _STARTS.get(last_name(tree))
