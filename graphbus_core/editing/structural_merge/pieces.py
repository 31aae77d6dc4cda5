"""A Python source as nested pieces of text: what can be kept, inserted, moved or merged as a whole.

Statements and clauses (`if`, `except`, `case`) partition the file into whole lines: the comments and blank lines above
a statement belong to it, so a merge that keeps a statement keeps its comment. Expressions are exact spans of `ast`.
Positions are bytes of `Source.data`. Fields are read only where something changed.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from graphbus_core.editing.source import Source, Token

_WORD = re.compile(rb"\w+|[^\w\s]")
_QUIET_LINE = re.compile(rb"[ \t\f]*(#[^\r\n]*)?(\r\n?|\n|$)")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, eq=False)
class Field:
    """Pieces in one place of another: `form` says how they are written and merged."""

    name: str
    form: str  # "one", "list" (by commas), "block" (statements), "clauses", "decorators"
    items: tuple[Piece, ...]
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a source. `start:end` is its text, `code` where the code begins behind its leading lines."""

    source: Source
    kind: str  # "statement", "clause", "decorator", "item", "expression", "open", "close"
    nodes: tuple[ast.AST, ...]
    start: int
    code: int
    end: int
    name: str = ""
    block: tuple[ast.stmt, ...] | None = None  # of a clause
    header: tuple[ast.AST, ...] = ()  # of a clause
    body_start: int = 0  # of a clause: where the line below its header begins
    wrap: str = ""  # of a mark: which `open` belongs to which `close`
    depth: bytes = field(default=b"")  # of a mark: the indentation inside of it

    @property
    def node(self) -> ast.AST | None:
        return self.nodes[0] if len(self.nodes) == 1 else None

    @property
    def text(self) -> bytes:
        return self.source.data[self.start : self.end]

    @cached_property
    def indent(self) -> bytes:
        return self.source.indent(self.code)

    @property
    def line(self) -> int:
        return self.source.line(self.code)

    @cached_property
    def says(self) -> str:
        """What it says, however it is laid out: its tree, and the comments that belong to it."""
        if self.kind in ("open", "close"):
            words = [] if self.kind == "close" and not self.text.strip() else _WORD.findall(self.text)
            return f"{self.kind} {words}"
        tree = "".join(ast.dump(n) for n in self.nodes) if self.nodes else self.text.decode()
        if self.kind == "clause":
            tree = f"{self.name} {[ast.dump(n) for n in self.header]} {[ast.dump(n) for n in self.block or ()]}"
        return tree + "".join(self.comments)

    @cached_property
    def comments(self) -> tuple[str, ...]:
        text = self.text
        if b"#" not in text:
            return ()
        if self.kind not in ("statement", "clause"):
            return ()
        return comments_between(self.source, self.start, self.end)

    @cached_property
    def words(self) -> dict[bytes, int]:
        """Its words and how often they stand: what likeness is measured by."""
        counts: dict[bytes, int] = {}
        for word in _WORD.findall(self.source.data[self.code : self.end]):
            counts[word] = counts.get(word, 0) + 1
        return counts

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """What stands in it, in the order of the text; nothing where it is taken as a whole."""
        return tuple(_fields(self))

    @cached_property
    def frame(self) -> str:
        """What it says beside its fields."""
        if self.kind == "clause":
            return f"{self.name} {_own_words(self)}"
        if len(self.nodes) > 1 and self.kind == "item":  # a key and its value, a parameter and its default
            first = _scalars(self.nodes[0]) if isinstance(self.nodes[0], ast.arg) else "entry"
            return f"{first} and {len(self.nodes) - 1}"
        return " ".join(_scalars(n) for n in self.nodes)

    @property
    def is_definition(self) -> bool:
        return isinstance(self.node, DEFINITIONS)

    @property
    def is_docstring(self) -> bool:
        node = self.node
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def comments_between(source: Source, start: int, end: int) -> tuple[str, ...]:
    """The comments from one place, outside of strings, to another."""
    return tuple(t.text.strip() for t in source.iter_tokens(start, end) if t.kind == tokenize.COMMENT)


def module_pieces(source: Source) -> Field:
    """The statements of a module. Raises Refusal where the source does not parse."""
    return _block_field(source, source.tree.body, 0, len(source.data), -1)


# ---- lines


def _is_quiet(source: Source, at: int) -> bool:
    """Whether the line that begins here is blank or a comment."""
    return _QUIET_LINE.match(source.data, at) is not None


def _deep_comments(source: Source, start: int, limit: int, column: int) -> int:
    """Behind the last comment below `start` that is indented deeper than a column, before anything else stands."""
    end = at = start
    while at < limit and _is_quiet(source, at):
        following = source.next_line(at)
        bare = source.data[at:following].lstrip(b" \t\f")
        if bare.startswith(b"#"):
            if following - at - len(bare) <= column:
                break
            end = following
        at = following
    return end


def _column(source: Source, offset: int) -> int:
    start: int = source.line_start(offset)
    return offset - start


def _first_line(source: Source, statement: ast.stmt) -> int:
    """Where the first line of a statement begins, with its decorators."""
    first: int = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
    return source.starts[first - 1]


def _block_field(source: Source, body: Sequence[ast.stmt], start: int, limit: int, column: int) -> Field:
    """The statements of a block as whole lines; what is left below the last one belongs to no statement."""
    pieces = []
    at, i = start, 0
    while i < len(body):
        group = [body[i]]
        while i + 1 < len(body) and source.line(source.span(body[i + 1])[0]) == source.line(source.span(group[-1])[1]):
            i += 1
            group.append(body[i])
        i += 1
        end = source.next_line(source.span(group[-1])[1])
        if len(group) == 1 and isinstance(getattr(group[0], "body", None), list):
            below = _first_line(source, body[i]) if i < len(body) else limit
            end = _deep_comments(source, end, below, _column(source, _code_start(source, group[0])))
        pieces.append(Piece(source, "statement", tuple(group), at, _first_line(source, group[0]), end, name_of(group)))
        at = end
    end = _deep_comments(source, at, limit, column) if body else at
    return Field("body", "block", tuple(pieces), start, max(at, end) if column >= 0 else limit)


def _code_start(source: Source, statement: ast.stmt) -> int:
    return source.offset(statement.lineno, statement.col_offset)


def name_of(group: Sequence[ast.AST]) -> str:
    """What a statement is known by among its neighbours; nothing where it has no name of its own."""
    if len(group) != 1:
        return ""
    match group[0]:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return f"def {name}"
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return f"set {ast.unparse(target)}" if not isinstance(target, ast.Tuple) else ""
        case ast.Expr(value=ast.Constant(value=str())):
            return "text"
        case ast.ImportFrom(module=module, level=level):
            return f"from {'.' * level}{module or ''}"
        case ast.Import(names=[alias]):
            return f"import {alias.asname or alias.name}"
    return ""


# ---- clauses


def _clause_parts(node: ast.AST) -> Iterator[tuple[str, tuple[ast.AST, ...], list[ast.stmt]]]:
    """Each clause of a compound statement: its word, the nodes of its header, its statements."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield "def", (node.args, *([node.returns] if node.returns else [])), node.body
        case ast.ClassDef():
            yield "class", (*node.bases, *node.keywords), node.body
        case ast.If():
            yield "if", (node.test,), node.body
        case ast.While():
            yield "while", (node.test,), node.body
            if node.orelse:
                yield "else", (), node.orelse
        case ast.For() | ast.AsyncFor():
            yield "for", (node.target, node.iter), node.body
            if node.orelse:
                yield "else", (), node.orelse
        case ast.With() | ast.AsyncWith():
            yield "with", tuple(node.items), node.body
        case ast.Try() | ast.TryStar():
            yield "try", (), node.body
            for handler in node.handlers:
                yield "except", (*([handler.type] if handler.type else []),), handler.body
            if node.orelse:
                yield "else", (), node.orelse
            if node.finalbody:
                yield "finally", (), node.finalbody
        case ast.Match():
            for case in node.cases:
                yield "case", (case.pattern, *([case.guard] if case.guard else [])), case.body


def _chain(source: Source, node: ast.AST) -> Iterator[tuple[str, tuple[ast.AST, ...], list[ast.stmt]]]:
    """As `_clause_parts`, with every `elif` a clause of the `if` that it belongs to."""
    yield from _clause_parts(node)
    while isinstance(node, ast.If) and node.orelse:
        below = node.orelse
        if len(below) == 1 and isinstance(below[0], ast.If):
            node = below[0]
            start = source.span(node)[0]
            if source.data.startswith(b"elif", start):
                yield "elif", (node.test,), node.body
                continue
        yield "else", (), below
        return


def _clauses(piece: Piece, start: int) -> tuple[Piece, ...] | None:
    """The clauses of a statement as whole lines; None where one stands on the line of its header."""
    source, node = piece.source, piece.node
    assert isinstance(node, ast.stmt)
    column = _column(source, _code_start(source, node))
    found: list[Piece] = []
    at = code = start
    for word, header, body in _chain(source, node):
        opening = _colon(source, code, source.span(body[0])[0], header)
        first = _first_line(source, body[0])
        if opening is None or first < source.next_line(opening):
            return None
        below = source.next_line(opening)
        last = source.next_line(_last_end(source, body[-1]))
        end = max(last, _deep_comments(source, last, piece.end, column))
        name = word if word not in ("elif", "except", "case") else f"{word} {[ast.dump(n) for n in header]}"
        found.append(
            Piece(source, "clause", (), at, code, end, name, block=tuple(body), header=header, body_start=below)
        )
        at = code = end
        while code < piece.end and _is_quiet(source, code):
            code = source.next_line(code)
    return tuple(found)


def _last_end(source: Source, statement: ast.stmt) -> int:
    return source.span(statement)[1]


def _colon(source: Source, start: int, limit: int, header: Sequence[ast.AST]) -> int | None:
    """Where the colon of a header that begins on this line stands."""
    depth, lambdas = 0, 0
    for token in source.iter_tokens(start, limit):
        if token.text in _OPENING:
            depth += 1
        elif token.text in _CLOSING:
            depth -= 1
        elif token.text == "lambda":
            lambdas += 1
        elif token.text == ":" and depth == 0:
            if not lambdas:
                return token.start
            lambdas -= 1
    return None


# ---- fields


def _fields(piece: Piece) -> Iterator[Field]:
    source = piece.source
    if piece.kind == "clause":
        for place, part in enumerate(piece.header):
            yield from _header_fields(piece, part, place)
        assert piece.block is not None
        column = _column(source, piece.code + len(source.indent(piece.code)))
        yield _block_field(source, piece.block, piece.body_start, piece.end, column)
        return
    node = piece.node
    if piece.kind == "item" and len(piece.nodes) == 2:
        first, second = piece.nodes
        yield from _node_fields(source, first, "") if isinstance(first, ast.arg) else [_one(source, "key", first)]
        yield _one(source, "value", second)
        return
    if node is None:
        return
    if piece.kind == "statement" and isinstance(getattr(node, "body", None) or getattr(node, "cases", None), list):
        if isinstance(node, ast.Match):
            return  # cases are merged where only one side changed them; two are a question
        start = source.line_start(_code_start(source, node))  # type: ignore[arg-type]
        clauses = _clauses(piece, start)
        if clauses is None:
            return
        decorators = getattr(node, "decorator_list", [])
        if decorators or isinstance(node, DEFINITIONS):
            yield Field("decorators", "decorators", tuple(_decorators(piece, decorators, start)), piece.code, start)
        yield Field("clauses", "clauses", clauses, start, piece.end)
        return
    yield from _node_fields(source, node, "")


def _decorators(piece: Piece, nodes: Sequence[ast.expr], limit: int) -> Iterator[Piece]:
    at = piece.code
    for node in nodes:
        end = piece.source.next_line(piece.source.span(node)[1])
        name = ast.unparse(node.func if isinstance(node, ast.Call) else node)
        yield Piece(piece.source, "decorator", (node,), at, at, end, f"decorator {name}")
        at = end


def _header_fields(piece: Piece, node: ast.AST, place: int) -> Iterator[Field]:
    source = piece.source
    if isinstance(node, ast.arguments):
        group = _group(source, piece.code, piece.body_start, b"def")
        if group is not None:
            defaults = [d for d in (*node.defaults, *node.kw_defaults) if d is not None]
            own = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.arg)]
            yield _list_field(source, "parameters", *group, [*own, *defaults])
        return
    if isinstance(node, ast.withitem):
        yield from _node_fields(source, node, f"item{place}.")
        return
    if piece.name == "class":
        if piece.header and node is piece.header[0]:
            group = _group(source, piece.code, piece.body_start, b"class")
            if group is not None:
                yield _list_field(source, "bases", *group, list(piece.header))
        return
    yield _one(source, type(node).__name__ if piece.name == "def" else f"header{place}", node)


def _one(source: Source, name: str, node: ast.AST) -> Field:
    start, end = source.span(node)
    return Field(name, "one", (Piece(source, "expression", (node,), start, start, end),), start, end)


def _group(source: Source, start: int, limit: int, _what: bytes) -> tuple[int, int] | None:
    """The inside of the first parentheses from a place on; brackets of type parameters are passed over."""
    depth, opened = 0, -1
    for token in source.iter_tokens(start, limit):
        if token.text in _OPENING:
            if depth == 0 and token.text == "(":
                opened = token.end
            depth += 1
        elif token.text in _CLOSING:
            depth -= 1
            if depth == 0 and opened >= 0:
                return opened, token.start
        elif token.text == ":" and depth == 0:
            return None
    return None


def _node_fields(source: Source, node: ast.AST, prefix: str) -> Iterator[Field]:
    """The expressions in a node, by the names that `ast` gives them."""
    match node:
        case ast.Constant() | ast.JoinedStr() | ast.Name() | ast.Lambda() | ast.Global() | ast.Nonlocal():
            return
        case ast.Call():
            yield _one(source, prefix + "func", node.func)
            start = _open_parenthesis(source, source.span(node.func)[1], source.span(node)[1])
            if start is not None:
                yield _list_field(
                    source, prefix + "arguments", start, source.span(node)[1] - 1, [*node.args, *node.keywords]
                )
            return
        case ast.List() | ast.Set() | ast.Dict() | ast.Tuple():
            start, end = source.span(node)
            if not isinstance(node, ast.Tuple) or _is_wrapped(source, start, end):
                start, end = start + 1, end - 1
            children = [n for n in ast.iter_child_nodes(node) if hasattr(n, "lineno")]
            yield _list_field(source, prefix + "elements", start, end, children)
            return
        case ast.Import() | ast.ImportFrom():
            start = _import_names(source, node)
            end = source.span(node)[1]
            if source.data[start : start + 1] == b"(":
                start, end = start + 1, end - 1
            yield _list_field(source, prefix + "names", start, end, list(node.names))
            return
    found: list[Field] = []
    for name, value in ast.iter_fields(node):
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and hasattr(child, "lineno"):
                found.append(_one(source, f"{prefix}{name}{i}", child))
            elif isinstance(child, ast.comprehension | ast.withitem):
                found += _node_fields(source, child, f"{prefix}{name}{i}.")
    yield from sorted(found, key=lambda f: f.start)


def _is_wrapped(source: Source, start: int, end: int) -> bool:
    """Whether a tuple stands in parentheses of its own."""
    if source.data[start : start + 1] != b"(":
        return False
    depth = 0
    for token in source.iter_tokens(start, end):
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth == 0:
            return token.end == end
    return False


def _open_parenthesis(source: Source, start: int, limit: int) -> int | None:
    return next((t.end for t in source.iter_tokens(start, limit) if t.text == "("), None)


def _import_names(source: Source, node: ast.AST) -> int:
    start, end = source.span(node)
    tokens = list(source.iter_tokens(start, end))
    place = next(i for i, t in enumerate(tokens) if t.text == "import")
    return tokens[place + 1].start


def _list_field(source: Source, name: str, start: int, end: int, nodes: Sequence[ast.AST]) -> Field:
    """What stands between commas, each with the nodes in it."""
    items = []
    spans = [(source.span(n), n) for n in nodes]
    for first, last in _between_commas(source, start, end):
        inside = tuple(n for (s, e), n in spans if first <= s and e <= last)
        text = source.data[first:last].decode()
        items.append(Piece(source, "item", inside, first, first, last, _item_name(name, text, inside)))
    return Field(name, "list", tuple(items), start, end)


def _between_commas(source: Source, start: int, end: int) -> Iterator[tuple[int, int]]:
    depth = 0
    chunk: list[Token] = []
    quiet = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    opening = start - 1 if source.data[start - 1 : start] in (b"(", b"[", b"{") else None
    for token in source.iter_tokens(opening if opening is not None else start, end + (opening is not None)):
        if token.start < start or token.end > end or token.kind in quiet:
            continue
        if token.text == "," and depth == 0:
            if chunk:
                yield chunk[0].start, chunk[-1].end
            chunk = []
            continue
        depth += (token.text in _OPENING and token.kind == tokenize.OP) - (
            token.text in _CLOSING and token.kind == tokenize.OP
        )
        chunk.append(token)
    if chunk:
        yield chunk[0].start, chunk[-1].end


def _item_name(field_name: str, text: str, nodes: Sequence[ast.AST]) -> str:
    """What an item is known by in its list: a parameter, a keyword, a key, an imported name."""
    if field_name == "parameters":
        return f"parameter {nodes[0].arg}" if nodes and isinstance(nodes[0], ast.arg) else f"mark {text}"
    match list(nodes):
        case [ast.keyword(arg=str() as name)]:
            return f"keyword {name}"
        case [ast.alias(name=name, asname=asname)]:
            return f"name {asname or name}"
        case [ast.expr() as key, ast.expr()] if field_name.endswith("elements"):
            return f"key {ast.dump(key)}"
    return ""


# ---- frames


def _scalars(node: ast.AST) -> str:
    """What a node says beside the nodes in it."""
    if isinstance(node, ast.Constant | ast.JoinedStr | ast.Name | ast.Lambda | ast.Global | ast.Nonlocal):
        return ast.dump(node)
    words = [type(node).__name__]
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.comprehension):
                words.append(f"comprehension{child.is_async}")
            elif not isinstance(child, ast.AST):
                words.append(f"{name}={child!r}")
            elif not hasattr(child, "lineno") and not isinstance(child, ast.arguments | ast.withitem | ast.match_case):
                words.append(type(child).__name__)
    return " ".join(words)


def _own_words(piece: Piece) -> str:
    """A header without the expressions in it, as words."""
    text, at = [], piece.code
    for part in piece.fields:
        if part.form == "block":
            break
        text.append(piece.source.data[at : part.start])
        at = part.end
    text.append(piece.source.data[at : piece.body_start].split(b"#")[0])
    return " ".join(w.decode() for w in _WORD.findall(b" ".join(text)))
