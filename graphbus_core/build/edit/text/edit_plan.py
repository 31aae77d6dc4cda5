"""The edits of one operation, gathered over files, with the imports that they need."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.import_order import import_lines, in_order, names_joined
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.worktree import Worktree, binding, nearest
from graphbus_core.build.understand.keys.scope import bound

_TYPING = frozenset(
    """Any Annotated Optional Union Literal NotRequired Required TypedDict Final ClassVar Callable Iterable Iterator
    List Dict Set FrozenSet Tuple Type Sequence Mapping MutableMapping""".split()  # noqa: SIM905
)
_STANDARD = {
    "datetime": "datetime",
    "date": "datetime",
    "timedelta": "datetime",
    "Decimal": "decimal",
    "UUID": "uuid",
    "Path": "pathlib",
}
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
        known = self.edits.setdefault(source.path, [])
        known += [e for e in edits if e not in known]

    def replace(self, source: Source, node: ast.AST, text: str) -> None:
        """Put `text` in the place of a node."""
        start, end = source.span(node)
        self.add(source, Edit(start, end, text.encode()))

    def type_text(self, source: Source, text: str) -> str:
        """A type as it will stand in this file, with what it needs imported. Refusal where it is not a type."""
        tree = parse_type(text)
        written = text.strip()
        renamed = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                renamed[node.id] = self.name(source, node.id)
        for name, here in renamed.items():
            # As a whole word, and not behind a dot: `x.Any` is somebody else's.
            if here != name:
                written = re.sub(rf"(?<![\w.]){name}\b", here, written)
        return written

    def name(self, source: Source, name: str) -> str:
        """How `name` is written in this file; a word of typing is imported where it is missing."""
        if hasattr(builtins, name) or name in _module_names(source):
            return name
        module = "typing" if name in _TYPING else _STANDARD.get(name)
        # A star may bring the name, and an import of ours could then change which one is meant.
        if module is None and "*" in _module_names(source):
            return name
        if module is None:
            raise Refusal(
                f"{source.path} does not know the name {name!r}; {nearest(name, _module_names(source))}. "
                "Import it with add_import in the same proposal, before this operation."
            )
        return self.imported(source, module, name)

    def imported(self, source: Source, module: str, name: str) -> str:
        """How `name` of a standard module is written in this file, importing it where it is not yet."""
        if name in _module_names(source):
            for found in binding(source.tree.body, name):
                if isinstance(found, ast.ImportFrom) and any(a.name == name for a in found.names):
                    return name
            # Ours under another's name would change what their code means.
            raise Refusal(f"{source.path} uses the name {name!r} for something of its own.")
        key = (source.path, module, name)
        if key not in self._imported:
            self._imported[key] = self._import(source, module, name)
        return self._imported[key]

    def _import(self, source: Source, module: str, name: str) -> str:
        for node in source.tree.body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name == module:
                        return f"{alias.asname or module}.{name}"
        self.join(source, module, [name])
        return name

    def bring(self, source: Source, statement: ast.Import | ast.ImportFrom, text: str) -> None:
        """An import as it is written: names join the line that imports from their module, all else gets its own."""
        if isinstance(statement, ast.ImportFrom) and statement.module and not any(a.asname for a in statement.names):
            module, level = statement.module, statement.level
            there = [node for node in source.tree.body if _takes(node, module, level)]
            here = {alias.name for node in there for alias in node.names if alias.asname is None}
            self.join(source, module, [a.name for a in statement.names if a.name not in here], level)
        else:
            self._new_lines(source, text, text)

    def join(self, source: Source, module: str, names: Sequence[str], level: int = 0) -> None:
        """Import names from a module: on the line that does so already, else on one line for all of an operation."""
        key = (source.path, module, level)
        edits, known = self._joined.get(key, ([], []))
        names = [*known, *(name for name in names if name not in known)]
        there = next((node for node in source.tree.body if _takes(node, module, level)), None)
        if there is None:
            statement = f"from {'.' * level}{module} import {', '.join(in_order(names))}"
            self._new_lines(source, f"from {'.' * level}{module}", statement)
        else:
            edits = self._instead(source, edits, names_joined(source, there, names))
        self._joined[key] = (edits, names)

    def _new_lines(self, source: Source, module: str, statement: str) -> None:
        """New import lines of a file, planned together: where each stands depends on the others."""
        edits, lines = self._lines.setdefault(source.path, ([], {}))
        lines[module] = statement
        edits[:] = self._instead(source, edits, import_lines(source, [*lines.values()], self.workspace.is_own))

    def _instead(self, source: Source, before: list[Edit], edits: list[Edit]) -> list[Edit]:
        """Plan edits in the place of those that were planned when less was known."""
        planned = self.edits.get(source.path, [])
        # What was planned when less was known is taken back, so that one operation makes one import line.
        planned[:] = [edit for edit in planned if edit not in before]
        self.add(source, *edits)
        return edits


def _takes(node: ast.stmt, module: str, level: int) -> TypeGuard[ast.ImportFrom]:
    """Whether a statement imports names from this module."""
    return (
        isinstance(node, ast.ImportFrom)
        and (node.module or "", node.level) == (module, level)
        and node.names[-1].name != "*"
    )


def _module_names(source: Source) -> set[str]:
    names: set[str] | None = source.__dict__.get("_names")
    if names is None:
        names = source.__dict__["_names"] = bound(source.tree.body)
    return names


def parse_type(text: str) -> ast.expr:
    """The expression of a type's text. Refusal for what is not a type: calls, code, more than one line."""
    tree = _one_line(text, "type")
    for node in ast.walk(tree):
        if not isinstance(node, (*_IN_A_TYPE, ast.expr_context, ast.UnaryOp, ast.USub)):
            raise Refusal(f"{text!r} is not a type: {type(node).__name__} has no place in one.")
        if isinstance(node, ast.Constant) and isinstance(node.value, complex | float):
            raise Refusal(f"{text!r} is not a type.")
    return tree


def parse_default(text: str) -> ast.expr:
    """The expression of a default's text. Refusal for what is no single expression."""
    tree = _one_line(text, "default")
    if not _is_plain(tree):
        raise Refusal(
            f"the default {text!r} is more than a value. A contract operation takes a literal, a name, or one key of a "
            "name (`payload['qty']`), never a call. Give code in replace_body."
        )
    return tree


def _one_line(text: str, what: str) -> ast.expr:
    """An expression that goes into the middle of a line: a break or a comment in it would end that line."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refusal(f"{text!r} is not a {what}.") from None
    if "\n" in text.strip() or "\r" in text.strip() or "#" in re.sub(r"'[^']*'|\"[^\"]*\"", "", text):
        raise Refusal(f"the {what} {text!r} must stand on one line, without a comment.")
    return tree


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression runs nothing: whoever reads the operation sees all that it does."""
    match node:
        case ast.Constant() | ast.Name():
            return True
        case ast.Subscript(value=ast.Name(), slice=ast.Constant()):
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float())):
            return True
        case ast.List(elts=inner) | ast.Tuple(elts=inner) | ast.Set(elts=inner):
            return all(_is_plain(one) for one in inner)
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and _is_plain(key) for key in keys) and all(_is_plain(v) for v in values)
    return False


def same(a: ast.AST, b: ast.AST) -> bool:
    """Whether two expressions say the same, however they are spaced."""
    return ast.dump(a) == ast.dump(b)


def quoted(text: str, like: str = '"') -> str:
    """A string literal with the quotes of its neighbour."""
    made = repr(text)
    if like == '"' and '"' not in made and made.startswith("'") and "\\" not in made:
        return f'"{made[1:-1]}"'
    return made
