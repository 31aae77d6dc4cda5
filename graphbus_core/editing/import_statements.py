"""Where a formatter would put an import: the standard library, what was installed, one's own, relative ones.

By name in each, as isort and ruff have it; a name joins the line that imports from its module already. The file's own
order is never touched. Where a file keeps none, the line still lands beside its like.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphbus_core.editing.source import Edit, Source, read_group
from graphbus_core.editing.statements import insert_line_below
from graphbus_core.module_origin import is_provided, is_standard
from graphbus_core.syntax import is_docstring

# Which modules a changed file imports that it did not import before: `allow_external_dependencies` (seed 002 §2.10).
#
# An import is a statement at any depth, or a call that imports (`__import__`, `importlib.import_module`, …) with its
# name written out; `exec` and `eval` of a written-out text are read as code. Such a call whose name is only known when
# it runs is named as what it is. It reads what is written: code that sets out to hide an import is the sandbox's
# business.


_CALLS = frozenset({"__import__", "import_module", "run_module"})  # by whatever name of a module they are reached
_CODE = frozenset({"exec", "eval"})  # only as the builtins that they are
_DEPTH = 4  # exec in an exec in an exec


@dataclass
class ModuleImports:
    """What a source imports: top-level names with the line of the first, and the calls that cannot be read ahead."""

    names: dict[str, int] = field(default_factory=dict)
    unread: Counter[str] = field(default_factory=Counter)  # source of the call
    lines: dict[str, int] = field(default_factory=dict)  # of those calls


def collect_imports(tree: ast.AST, depth: int = 0) -> ModuleImports:
    """Every import of a source, wherever it stands."""
    imports = ModuleImports()
    aliases = _collect_import_aliases(tree)
    called_ids = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                _record_names(imports, node, (alias.name for alias in node.names))
            case ast.ImportFrom(level=0):
                _record_names(imports, node, [node.module or ""])
            case ast.Call() if (what := _identify_import_call(node.func, aliases)) is not None:
                _record_import_call(imports, node, what, depth)
            case ast.Name(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()) if (
                id(node) not in called_ids and _identify_import_call(node, aliases) in _CALLS
            ):
                _record_unreadable_call(imports, node)  # handed on: what it will be called with, nobody can say
    return imports


def _collect_import_aliases(tree: ast.AST) -> dict[str, str]:
    """Names that stand for a function that imports."""
    aliases = {name: name for name in ("__import__", *_CODE)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            aliases |= {a.asname or a.name: a.name for a in node.names if a.name in _CALLS}
    return aliases


def _identify_import_call(function: ast.expr, aliases: Mapping[str, str]) -> str | None:
    match function:
        case ast.Name(id=name):
            return aliases.get(name)
        case ast.Attribute(attr=name) if name in _CALLS:
            return name
        case ast.Attribute(value=ast.Name(id="builtins"), attr=name) if name in _CODE:
            return name
    return None


def _record_import_call(imports: ModuleImports, call: ast.Call, what: str, depth: int) -> None:
    argument = (
        call.args[0] if call.args else next((k.value for k in call.keywords if k.arg in ("name", "mod_name")), None)
    )
    if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str | bytes):
        return _record_unreadable_call(imports, call)
    if what not in _CODE:
        name = str(argument.value)
        return _record_names(imports, call, [] if name.startswith(".") else [name])
    if depth >= _DEPTH:
        return _record_unreadable_call(imports, call)
    try:
        inner = collect_imports(ast.parse(argument.value), depth + 1)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # it fails when it runs
    _record_names(imports, call, inner.names)
    for text in inner.unread:
        imports.unread[text] += 1
        imports.lines.setdefault(text, call.lineno)
    return None


def _record_names(imports: ModuleImports, node: ast.stmt | ast.expr, names: Iterable[str]) -> None:
    for name in names:
        if top := name.partition(".")[0]:
            imports.names.setdefault(top, node.lineno)


def _record_unreadable_call(imports: ModuleImports, node: ast.expr) -> None:
    text = ast.unparse(node)
    imports.unread[text] += 1
    imports.lines.setdefault(text, node.lineno)


def is_known_module(name: str, own: Callable[[], bool], trees: Iterable[ast.AST]) -> bool:
    """Whether a top-level module is of the standard library, of the project (`own`), or imported by one of its files.

    `trees` are parsed as far as they are looked at.
    """
    return is_provided(name) or own() or any(name in collect_imports(tree).names for tree in trees)


def explain_new_dependencies(
    before: Mapping[str, bytes], after: Mapping[str, bytes], is_known_name: Callable[[str], bool]
) -> str | None:
    """Why the changed files may not land where new dependencies are off; None where they bring none.

    `known`: whether a top-level name is of the standard library, of the project, or imported by it already.
    """
    strangers: dict[str, str] = {}
    unread: list[str] = []
    for path in sorted(after):
        try:
            then, now = (
                collect_imports(ast.parse(text)) if text else ModuleImports()
                for text in (before.get(path), after[path])
            )
        except (SyntaxError, ValueError):
            continue  # `parses` says so, or it could not be read before either
        for name, line in now.names.items():
            if name not in then.names and not is_known_name(name):
                strangers.setdefault(name, f"{name} ({path}:{line})")
        unread += [f"`{text[:80]}` ({path}:{now.lines[text]})" for text in now.unread - then.unread]
    off = "new dependencies are off (allow_external_dependencies, --allow-imports)"
    if strangers:
        return (
            f"it imports {', '.join(strangers.values())}, which is neither of the standard library nor of this project "
            f"nor imported by it; {off}."
        )
    if unread:
        return (
            f"what {', '.join(unread)} imports is only known when it runs, and {off}. Write out the name of the module."
        )
    return None


Import = ast.Import | ast.ImportFrom
Own = Callable[[str], bool]  # whether a top-level module is of the project itself
STANDARD, INSTALLED, OWN, RELATIVE = range(4)


def insert_import(source: Source, statement: str, own: Own = lambda top: False) -> Edit:
    """Put an import statement on a line of its own among the file's imports, or where the first one would stand."""
    body = source.tree.body
    # A docstring stays the first statement, and `from __future__` may stand only below it.
    first = 1 if body and is_docstring(body[0]) else 0
    while first < len(body) and _is_future_import(body[first]):
        first += 1
    block = [node for node in itertools.takewhile(_is_import, body[first:]) if isinstance(node, Import)]
    is_future = re.match(r"from\s+__future__\b", statement) is not None
    if block and not is_future:
        return _insert_among(source, block, statement, own)
    if first:
        above = body[first - 1]
        # A blank line is kept between a docstring and what follows, if there is one to keep.
        open_line = not source.data[source.next_line(source.span(above)[1]) :].split(b"\n", 1)[0].strip()
        gap = source.newline(0).decode() if open_line and not (is_future and _is_future_import(above)) else ""
        return insert_line_below(source, above, gap + statement)
    place = source.line_start(source.span(block[0])[0]) if block else _find_top(source)
    return Edit(place, place, statement.encode() + source.newline(place))


def insert_imports(source: Source, statements: Sequence[str], own: Own) -> list[Edit]:
    """Several new imports: those that land in one place stand in order there, a blank line between groups alone."""
    # By place: edits of one place would otherwise land in an order that nobody chose.
    placed: dict[tuple[int, int], list[tuple[int, tuple[bool, int, str], str, str]]] = {}
    for statement in statements:
        edit, node = insert_import(source, statement, own), _parse_import(statement)
        row = (_rank_group(node, own), _build_sort_key(node), statement, edit.new.decode())
        placed.setdefault((edit.start, edit.end), []).append(row)
    edits = []
    newline = source.newline(0).decode()
    for (start, end), rows in placed.items():
        text = ""
        rows.sort()
        for number, (group_rank, _, statement, alone) in enumerate(rows):
            lead, _, trail = alone.partition(statement)
            if number and group_rank == rows[number - 1][0]:
                lead = lead.removeprefix(newline)  # the group has begun
            if number + 1 < len(rows) and trail.startswith(newline):
                opens = group_rank != rows[number + 1][0] and len(trail) > len(newline)
                trail = newline * (2 if opens else 1)
            text += lead + statement + trail
        edits.append(Edit(start, end, text.encode()))
    return edits


def join_names(source: Source, node: ast.ImportFrom, names: Sequence[str]) -> list[Edit]:
    """Further names in an import that stands there: by order where the line keeps one, else at its end."""
    existing = [alias.name for alias in node.names]
    # Only a line that keeps an order gets one. Sorting it anew would touch what nobody asked about.
    ordered = existing == sorted(existing, key=_build_name_key)
    start, end = source.span(node)
    if source.data[start:end].endswith(b")"):
        whole = read_group(source, source.data.index(b"(", start), end)
        edits = []
        for name in sorted(names, key=_build_name_key):
            place = len(existing)
            if ordered:
                place = next(
                    (i for i, other in enumerate(existing) if _build_name_key(other) > _build_name_key(name)), place
                )
            edits += whole.insert(place, name)
        return edits
    begin, stop = source.span(node.names[0])[0], source.span(node.names[-1])[1]
    # An unsorted line, or one that is broken by backslashes, is only added to at its end.
    if not ordered or b"\n" in source.data[begin:stop]:
        return [Edit(end, end, "".join(f", {name}" for name in names).encode())]
    texts = {alias.name: source.text(alias) for alias in node.names} | {name: name for name in names}
    return [Edit(begin, stop, ", ".join(texts[name] for name in sorted(texts, key=_build_name_key)).encode())]


def sort_names(names: Sequence[str]) -> list[str]:
    """Names of one import, as a formatter has them."""
    return sorted(names, key=_build_name_key)


def _insert_among(source: Source, block: Sequence[Import], statement: str, own: Own) -> Edit:
    """Into the block of a file's imports, a blank line around a group that it begins."""
    new_import = _parse_import(statement)
    like = [n for n in block if _rank_group(n, own) == _rank_group(new_import, own)]
    if like:
        before = [n for n in like if _build_sort_key(n) <= _build_sort_key(new_import)]
        return (
            insert_line_below(source, before[-1], statement)
            if before
            else _insert_line_above(source, like[0], statement)
        )
    earlier = [n for n in block if _rank_group(n, own) < _rank_group(new_import, own)]
    newline = source.newline(0).decode()
    if earlier:  # the first of its group: a blank line above it
        return insert_line_below(source, earlier[-1], newline + statement)
    return _insert_line_above(source, block[0], statement + newline)


def _parse_import(statement: str) -> Import:
    node = ast.parse(statement).body[0]
    assert isinstance(node, Import)
    return node


def _insert_line_above(source: Source, below: Import, statement: str) -> Edit:
    position = source.span(below)[0]
    # Two statements on one line have no line above the second.
    if not source.is_line_start(position):  # `import a; import b`
        return insert_line_below(source, below, statement)
    place = source.line_start(position)
    return Edit(place, place, statement.encode() + source.newline(place))


def _find_top(source: Source) -> int:
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


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, Import)


def _is_future_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _rank_group(node: Import, own: Own) -> int:
    if isinstance(node, ast.ImportFrom) and node.level:
        return RELATIVE
    top = _read_module_name(node).partition(".")[0]
    if is_standard(top):
        return STANDARD
    return OWN if own(top) else INSTALLED


def _build_sort_key(node: Import) -> tuple[bool, int, str]:
    """Plain imports first, then `from` ones, as isort, ruff and the standard library's own files have it."""
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    return isinstance(node, ast.ImportFrom), -level, _read_module_name(node).casefold()


def _build_name_key(name: str) -> tuple[int, str, str]:
    """CONSTANTS, then Classes, then the rest: isort's order by type, which ruff keeps too."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name.casefold(), name


def _read_module_name(node: Import) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
