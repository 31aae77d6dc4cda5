"""The edits of one operation, gathered over files, with the imports that they need."""

from __future__ import annotations

import ast
import builtins
import itertools
import re
from dataclasses import dataclass, field

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.groups import group
from graphbus_core.build.edit.text.import_order import import_in_order
from graphbus_core.build.edit.text.scope import bound
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import is_doc, line_below
from graphbus_core.build.edit.text.worktree import Workspace, binding, nearest

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
class Plan:
    """What one operation does to the files."""

    workspace: Workspace
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _imported: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def add(self, source: Source, *edits: Edit) -> None:
        """Note edits of a file; the same edit twice is one."""
        known = self.edits.setdefault(source.path, [])
        known += [e for e in edits if e not in known]

    def replace(self, source: Source, node: ast.AST, text: str) -> None:
        """Put `text` in the place of a node."""
        start, end = source.span(node)
        self.add(source, Edit(start, end, text.encode()))

    def type_text(self, source: Source, text: str) -> str:
        """A type as it will stand in this file, with what it needs imported. Refusal where it is no type."""
        tree = parse_type(text)
        written = text.strip()
        renamed = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                renamed[node.id] = self.name(source, node.id)
        for name, here in renamed.items():
            if here != name:
                written = re.sub(rf"(?<![\w.]){name}\b", here, written)
        return written

    def name(self, source: Source, name: str) -> str:
        """How `name` is written in this file; a word of typing is imported where it is missing."""
        if hasattr(builtins, name) or name in _module_names(source):
            return name
        module = "typing" if name in _TYPING else _STANDARD.get(name)
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
        for node in source.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == module and not node.level:
                last = node.names[-1]
                if last.name != "*":
                    start, end = source.span(node)
                    if source.data[start:end].endswith(b")"):
                        opening = source.data.index(b"(", start)
                        whole = group(source, opening, end)
                        self.add(source, *whole.insert(len(whole.items), name))
                    else:
                        self.add(source, Edit(end, end, f", {name}".encode()))
                    return name
        self.add(source, import_line(source, f"from {module} import {name}"))
        return name


def import_line(source: Source, statement: str, last: bool = False) -> Edit:
    """Put an import statement on a line of its own, above the file's imports (or below them: `last`)."""
    body = source.tree.body
    # A docstring stays the first statement, and `from __future__` may stand only below it.
    first = 1 if body and is_doc(body[0]) else 0
    while first < len(body) and _future(body[first]):
        first += 1
    future = re.match(r"from\s+__future__\b", statement) is not None
    block = list(itertools.takewhile(lambda n: isinstance(n, ast.Import | ast.ImportFrom), body[first:]))
    if block and not future:
        if last:
            return import_in_order(source, block, statement)
        place = source.line_start(source.span(block[0])[0])
    elif first:
        return line_below(source, body[first - 1], statement)
    else:
        place = source.line_start(source.span(block[0])[0]) if block else _top(source)
    return Edit(place, place, statement.encode() + source.newline(place))


def _top(source: Source) -> int:
    """After a first line `#!…` and a coding line; before everything else that is code."""
    place = after = 0
    for number in range(2):  # a coding line counts on the first two lines alone
        line = source.data[place : source.line_end(place)]
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
        place = source.next_line(place)
        if re.match(rb"[ \t\f]*#.*?coding[:=]", line) or (number == 0 and line.startswith(b"#!")):
            after = place
    return after


def _future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _module_names(source: Source) -> set[str]:
    names: set[str] | None = source.__dict__.get("_names")
    if names is None:
        names = source.__dict__["_names"] = bound(source.tree.body)
    return names


def parse_type(text: str) -> ast.expr:
    """The expression of a type's text. Refusal for what is no type: calls, code, more than one line."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refusal(f"{text!r} is not a type.") from None
    if "\n" in text.strip() or "\r" in text.strip() or "#" in re.sub(r"'[^']*'|\"[^\"]*\"", "", text):
        raise Refusal(f"the type {text!r} must stand on one line, without a comment.")
    for node in ast.walk(tree):
        if not isinstance(node, (*_IN_A_TYPE, ast.expr_context, ast.UnaryOp, ast.USub)):
            raise Refusal(f"{text!r} is not a type: {type(node).__name__} has no place in one.")
        if isinstance(node, ast.Constant) and isinstance(node.value, complex | float):
            raise Refusal(f"{text!r} is not a type.")
    return tree


def parse_default(text: str) -> ast.expr:
    """The expression of a default's text. Refusal for what is no single expression."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refusal(f"the default {text!r} is not an expression.") from None
    if "\n" in text.strip() or "\r" in text.strip() or "#" in re.sub(r"'[^']*'|\"[^\"]*\"", "", text):
        raise Refusal(f"the default {text!r} must stand on one line, without a comment.")
    if not _is_plain(tree):
        raise Refusal(
            f"the default {text!r} is more than a value. A contract operation takes a literal, a name, or one key of a "
            "name (`payload['qty']`), never a call. Give code in replace_body."
        )
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
