"""Statements of a block: where they stand, what they define; a line is put behind another, one is taken out."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterable
from io import StringIO

from graphbus_core.editing.source import Edit, Source, parse_text
from graphbus_core.model.edit_outcome import Refusal

# Code that came as plain text: checked, dedented, and indented as the file does.


# Longer than any method that people read. A model that loops must not fill the file.
MAX_CODE = 200_000  # characters of one body or method


def normalize_code(text: str, what: str) -> str:
    """The text without the indentation that its lines share, with plain line ends. Refusal: empty, huge."""
    if len(text) > MAX_CODE:
        raise Refusal(f"{what} has {len(text):,} characters; at most {MAX_CODE:,}.")
    # One form of line ends inside; the file's own is put back when it is written.
    plain = _strip_common_indent(text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip())
    if not plain.strip():
        raise Refusal(f"{what} is empty.")
    return plain


def find_string_lines(text: str) -> set[int]:
    """The lines (from 0) that begin inside a string: their white space is the string's own."""
    lines: set[int] = set()
    opened = []
    try:
        for token in tokenize.generate_tokens(StringIO(text).readline):
            name = tokenize.tok_name[token.type]
            if name == "STRING":
                lines.update(range(token.start[0], token.end[0]))
            elif name in ("FSTRING_START", "TSTRING_START"):
                opened.append(token.start[0])
            elif name in ("FSTRING_END", "TSTRING_END"):
                lines.update(range(opened.pop(), token.end[0]))
    except (tokenize.TokenError, SyntaxError, IndexError):
        # Code that does not tokenize is refused later with its line. Here it only has no strings.
        pass
    return lines


def _strip_common_indent(text: str) -> str:
    """Code without the indentation that all of its lines share; text inside of strings stays."""
    first = text.lstrip("\n")
    # Indented code is not a program by itself; under an `if` it is one, and tokens can be told.
    probe = f"if 1:\n{text}" if first[:1] in " \t" else text
    strings = {n - 1 for n in find_string_lines(probe)} if probe is not text else find_string_lines(text)
    lines = text.split("\n")
    # Comments may hang to the left of their block and say nothing about its margin.
    counted = [t for i, t in enumerate(lines) if i not in strings and t.strip() and not t.lstrip().startswith("#")]
    margins = [t[: len(t) - len(t.lstrip(" \t"))] for t in counted]
    margin = min(margins, key=len, default="")
    return "\n".join(t if i in strings else (t.removeprefix(margin) if t.strip() else "") for i, t in enumerate(lines))


def indent_code(text: str, indent: bytes, newline: bytes) -> bytes:
    """Code at an indentation, with the file's line ends; tabs where the file has tabs."""
    strings = find_string_lines(text)
    tabs = b"\t" in indent
    out = []
    for i, line in enumerate(text.split("\n")):
        if i in strings or not line.strip():
            # A line inside a string is data, so its white space is not ours to change.
            out.append(line.encode() if i in strings else b"")
            continue
        bare = line.lstrip(" ")
        lead = len(line) - len(bare)
        inner = b"\t" * (lead // 4) + b" " * (lead % 4) if tabs and lead % 4 == 0 else b" " * lead
        out.append(indent + inner + bare.encode())
    return newline.join(out)


def parse_code(text: str, what: str) -> ast.Module:
    try:
        return parse_text(text)
    except SyntaxError as e:
        raise Refusal(f"{what} does not parse: line {e.lineno}: {e.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as e:
        raise Refusal(f"{what} does not parse: {e}.") from None


def append_field(source: Source, cls: ast.ClassDef, text: str) -> Edit:
    """Put a line after the fields of a class."""
    fields = [s for s in cls.body if isinstance(s, ast.AnnAssign)]
    docs = [s for s in cls.body[:1] if isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)]
    after = (fields or docs or cls.body)[-1] if fields or docs else cls.body[-1]
    start, end = source.span(after)
    if not source.is_line_start(start) or b";" in source.data[end : source.line_end(end)].split(b"#")[0]:
        return Edit(end, end, f"; {text}".encode())
    line_end = source.line_end(end)
    return Edit(line_end, line_end, source.newline(end) + source.indent(start) + text.encode())


def remove_statement(source: Source, block: list[ast.stmt], node: ast.AST) -> Edit:
    """Take a statement out of its block, with its line; `pass` where it was the last one."""
    start, end = source.span(node)
    if len(block) == 1:
        return Edit(start, end, b"pass")
    before = source.data[source.line_start(start) : start]
    rest = source.data[end : source.line_end(end)]
    if not before.strip(b" \t\f") and b";" not in rest.split(b"#")[0]:
        if source.line_end(end) == len(source.data):  # the last line, without a line end: take the one before
            previous = source.line_start(start)
            cut = previous - len(source.newline(previous - 1)) if previous else 0
            return Edit(cut, len(source.data), b"")
        return Edit(source.line_start(start), source.next_line(end), b"")
    index = next(i for i, s in enumerate(block) if s is node)
    if index + 1 < len(block) and source.line(source.span(block[index + 1])[0]) == source.line(end):
        return Edit(start, source.span(block[index + 1])[0], b"")
    return Edit(source.span(block[index - 1])[1], end, b"")


def find_statement_start(source: Source, statement: ast.stmt) -> int:
    """Where a statement begins, its decorators (and their `@`) with it."""
    decorators = getattr(statement, "decorator_list", [])
    if not decorators:
        return source.span(statement)[0]
    position = source.span(decorators[0])[0]
    return source.data.rindex(b"@", 0, position)


def list_defined_names(statement: ast.stmt) -> set[str]:
    """The names that a definition gives; empty for a statement that is not a definition."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {t.id for t in targets if isinstance(t, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    alias = getattr(statement, "name", None)  # `type Rate = int`, from Python 3.12
    return {alias.id} if isinstance(alias, ast.Name) else set()


def is_same_code(some: Iterable[ast.AST], others: Iterable[ast.AST]) -> bool:
    """Whether two pieces of code say the same, however they are spaced and commented."""
    return [ast.dump(s) for s in some] == [ast.dump(s) for s in others]


def find_whole_lines(source: Source, statement: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, its decorators and the blank lines below it with them."""
    end = source.next_line(source.span(statement)[1])
    while end < len(source.data) and not source.data[end : source.line_end(end)].strip():
        end = source.next_line(end)
    return source.line_start(find_statement_start(source, statement)), end


def find_block(root: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    """The statements among which one stands."""
    for owner in ast.walk(root):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if isinstance(block, list) and any(s is statement for s in block):
                return block
    raise Refusal("a statement was not found where it was read.")


def insert_line_below(source: Source, above: ast.stmt, statement: str) -> Edit:
    """A statement on a line of its own below another."""
    end = source.span(above)[1]
    if b";" in source.data[end : source.line_end(end)]:  # another statement on the line: join it
        return Edit(end, end, b"; " + statement.encode())
    if source.line_end(end) == len(source.data):  # the last line, without a line end
        return Edit(len(source.data), len(source.data), source.newline(0) + statement.encode())
    place = source.next_line(end)
    return Edit(place, place, statement.encode() + source.newline(place))
