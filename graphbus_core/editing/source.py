"""One source file as bytes that can be spliced: untouched bytes stay as they are by construction.

`ast` counts columns in UTF-8 bytes of a line, without the byte-order mark. So a file is held as UTF-8 (`data`),
edits are spans of it, and the file's own encoding and mark come back on `raw`. Knows Python's syntax, no contracts.
"""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from graphbus_core.model.edit_outcome import Refusal

_LINE_END = re.compile(rb"\r\n?|\n")
MAX_BYTES = 5_000_000  # of one source file


def parse_text(text: str) -> ast.Module:
    """As `ast.parse`, whose count of its own depth two threads can spoil (gh-106905, mended in late 3.11 and 3.12):
    the text is not at fault, and a second reading is sound."""
    for _ in range(10):
        try:
            return ast.parse(text)
        except SystemError:
            continue
    return ast.parse(text)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Bytes `start:end` of `Source.data` become `new`."""

    start: int
    end: int
    new: bytes


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a bracketed group, with its place in `Source.data`."""

    kind: int
    text: str
    start: int
    end: int


class Source:
    """A file's bytes, its tree, and where each node stands. Immutable: an edit gives a new one."""

    def __init__(self, path: str, raw: bytes) -> None:
        """Raises Refusal where the bytes are not Python text that can be written back as they are."""
        self.path, self.raw = path, raw
        if len(raw) > MAX_BYTES:
            raise Refusal(f"{path} has {len(raw):,} bytes; at most {MAX_BYTES:,} are edited.")
        try:
            self.encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
            self.bom = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
            if self.encoding in ("utf-8", "utf-8-sig"):
                self.data = raw[len(self.bom) :]
                self.encoding = "utf-8"
                self.data.decode("utf-8")
            else:
                text = raw.decode(self.encoding)
                self.data = text.encode("utf-8")
                if text.encode(self.encoding) != raw:
                    raise Refusal(f"{path} is written in {self.encoding}, which does not come back as it was.")
        except (SyntaxError, UnicodeError, LookupError) as e:
            raise Refusal(f"{path} is not text in its declared encoding: {e}") from None

    def __len__(self) -> int:
        return len(self.data)

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree. Raises Refusal where the file does not parse, with the line."""
        try:
            return parse_text(self.data.decode())  # as text: a coding line speaks of `raw`
        except SyntaxError as e:
            raise Refusal(f"{self.path}:{e.lineno}: does not parse: {e.msg}") from None
        except (ValueError, RecursionError, MemoryError) as e:
            raise Refusal(f"{self.path}: does not parse: {e}") from None

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins. A form feed ends no line."""
        return [0, *(m.end() for m in _LINE_END.finditer(self.data))]

    def offset(self, line: int, column: int) -> int:
        """The place of a line (from 1) and a column in bytes."""
        return self.starts[line - 1] + column

    def line(self, offset: int) -> int:
        """The line, from 1, that holds a place."""
        return bisect_right(self.starts, offset)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Where a node begins and ends."""
        return (
            self.offset(node.lineno, node.col_offset),  # type: ignore[attr-defined]
            self.offset(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def places(self, *nodes: ast.AST) -> tuple[str, ...]:
        """`agents/cleaner.py:12` of each, in order, every line once."""
        return tuple(f"{self.path}:{line}" for line in sorted({getattr(n, "lineno", 1) for n in nodes}))

    def text(self, node: ast.AST) -> str:
        """A node as it is written."""
        start, end = self.span(node)
        return self.data[start:end].decode()

    def line_start(self, offset: int) -> int:
        """Where the line of a place begins."""
        return self.starts[self.line(offset) - 1]

    def line_end(self, offset: int) -> int:
        """Where the line of a place ends, before its line end."""
        match = _LINE_END.search(self.data, offset)
        return match.start() if match else len(self.data)

    def next_line(self, offset: int) -> int:
        """Where the line after that of a place begins."""
        match = _LINE_END.search(self.data, offset)
        return match.end() if match else len(self.data)

    def newline(self, near: int) -> bytes:
        """The line end in use at a place; mixed files keep their mixture."""
        match = _LINE_END.search(self.data, self.line_start(near)) or _LINE_END.search(self.data)
        return match.group() if match else b"\n"

    def indent(self, offset: int) -> bytes:
        """The white space that the line of a place begins with."""
        start = self.line_start(offset)
        match = re.compile(rb"[ \t\f]*").match(self.data, start)
        assert match is not None
        return match.group().rpartition(b"\f")[2]

    def is_line_start(self, offset: int) -> bool:
        """Whether only white space stands before a place on its line."""
        return not self.data[self.line_start(offset) : offset].strip(b" \t\f")

    def apply_edits(self, edits: Iterable[Edit]) -> Source:
        """This file with the edits made. Raises Refusal where the new text has no place in the file's encoding."""
        data = splice(self.data, edits)
        try:
            raw = self.bom + (data if self.encoding == "utf-8" else data.decode().encode(self.encoding))
        except UnicodeEncodeError as e:
            raise Refusal(
                f"{self.path} is written in {self.encoding}, which has no {e.object[e.start : e.end]!r}."
            ) from None
        return Source(self.path, raw)

    def iter_tokens(self, start: int, end: int) -> Iterator[Token]:
        """The tokens from `start`, which must stand outside of strings, to `end` at most."""
        part = self.data[start:end].replace(b"\r\n", b" \n").replace(b"\r", b"\n")  # same length
        text = part.decode()
        lines = re.findall(r"[^\n]*\n|[^\n]+", text)
        wide = not text.isascii()
        offsets = [start]
        for line in lines:
            offsets.append(offsets[-1] + (len(line.encode()) if wide else len(line)))

        def locate(row: int, column: int) -> int:
            if row > len(lines):
                return offsets[-1]
            return offsets[row - 1] + (len(lines[row - 1][:column].encode()) if wide else column)

        try:
            for token in tokenize.generate_tokens(iter(lines).__next__):
                yield Token(token.type, token.string, locate(*token.start), locate(*token.end))
        except (tokenize.TokenError, SyntaxError, StopIteration):
            return


def splice(data: bytes, edits: Iterable[Edit]) -> bytes:
    """`data` with the edits made. They must not overlap; insertions at one place keep their order."""
    parts, position = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < position:
            raise Refusal("two edits overlap; give them as two proposals.")
        parts += [data[position : edit.start], edit.new]
        position = edit.end
    return b"".join([*parts, data[position:]])


# Comma-separated items between brackets: entries of a dict, parameters, arguments, imported names.
#
# Token by token, so that parentheses, comments and line ends stand where they stood. Knows nothing of what an item
# means.


_SPACE = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, slots=True)
class GroupItem:
    """One item: from its first token to its last, and where its comma ends (None: no comma)."""

    start: int
    end: int
    comma: int | None

    @property
    def full_end(self) -> int:
        """Where the item ends with its comma."""
        return self.end if self.comma is None else self.comma


@dataclass(frozen=True)
class Group:
    """A bracketed group. `open` is the place after the opening bracket, `close` that of the closing one."""

    source: Source
    open: int
    close: int
    items: tuple[GroupItem, ...]

    def find_item(self, offset: int) -> int:
        """Which item holds a place."""
        for i, item in enumerate(self.items):
            if item.start <= offset < item.full_end:
                return i
        # A place outside of every item would be edited blindly.
        raise Refusal(f"{self.source.path}:{self.source.line(offset)}: this way of writing is not understood.")

    def insert(self, index: int, text: str) -> list[Edit]:
        """Put an item before the one at `index` (at the end: `len(items)`), in the style of its neighbours."""
        new = text.encode()
        src = self.source
        if not self.items:
            # An empty group has no style to keep.
            return [Edit(self.open, self.open, new)]
        if index < len(self.items):
            neighbour = self.items[index]
            # On a line of its own the neighbour shows how this group is written: one item a line.
            if src.is_line_start(neighbour.start):
                gap = src.newline(neighbour.start) + src.indent(neighbour.start)
                return [Edit(neighbour.start, neighbour.start, new + b"," + gap)]
            return [Edit(neighbour.start, neighbour.start, new + b", ")]
        last = self.items[-1]
        if not src.is_line_start(last.start):
            # A trailing comma is kept or not as the last item has it. Formatters read meaning into it.
            if last.comma is None:
                return [Edit(last.end, last.end, b", " + new)]
            return [Edit(last.comma, last.comma, b" " + new + b",")]
        gap = src.newline(last.end) + src.indent(last.start)
        line_end = src.line_end(last.full_end)
        if line_end > self.close:  # the bracket closes on the item's own line
            if last.comma is None:
                return [Edit(last.end, last.end, b"," + gap + new)]
            return [Edit(last.comma, last.comma, gap + new + b",")]
        if last.comma is None:
            # Two edits, so that a comment behind the last item stays behind it.
            return [Edit(last.end, last.end, b","), Edit(line_end, line_end, gap + new)]
        return [Edit(line_end, line_end, gap + new + b",")]

    def remove(self, index: int) -> list[Edit]:
        """Take an item out, with its comma, and with its line where nothing else stands on it."""
        src, item = self.source, self.items[index]
        previous = self.items[index - 1] if index else None
        last = index == len(self.items) - 1
        line_end = src.line_end(item.full_end)
        rest = src.data[item.full_end : min(line_end, self.close)].strip(b" \t\f")
        alone = line_end <= self.close and (not rest or rest.startswith(b"#"))
        if src.is_line_start(item.start) and alone:
            edits = [Edit(src.line_start(item.start), src.next_line(item.full_end), b"")]
            if last and item.comma is None and previous is not None and previous.comma is not None:
                edits.insert(0, Edit(previous.end, previous.comma, b""))
            return edits
        if previous is None:
            end = self.items[1].start if not last and not src.is_line_start(self.items[1].start) else item.full_end
            return [Edit(item.start, end, b"")]
        between = src.data[previous.full_end : item.start]
        if b"#" in between:
            # A comment between them belongs to somebody; it is not taken along.
            return [Edit(item.start, item.full_end, b"")]
        if last:
            # the comma before goes with a last item that has none, so that adding and removing are inverse
            if item.comma is None:
                return [Edit(previous.end, item.end, b"")]
            assert previous.comma is not None
            return [Edit(previous.comma, item.comma, b"")]
        assert previous.comma is not None
        return [Edit(previous.comma, item.full_end, b"")]


def read_group(source: Source, bracket: int, limit: int) -> Group:
    """The group that opens at `bracket`. Raises Refusal where its tokens do not add up before `limit`."""
    return _parse_group(source, source.iter_tokens(bracket, limit), bracket)


def _parse_group(source: Source, tokens: Iterable[Token], bracket: int) -> Group:
    """The group from tokens whose first one is the opening bracket."""
    depth, lambdas, items = 0, 0, []
    first: Token | None = None
    last: Token | None = None
    for token in tokens:
        if token.kind in _SPACE:
            continue
        step = _count_depth_change(token)
        depth += step
        if step > 0 and depth == 1:
            bracket = token.start
            continue
        if step < 0 and depth == 0:
            if first is not None and last is not None:
                items.append(GroupItem(first.start, last.end, None))
            return Group(source, bracket + 1, token.start, tuple(items))
        if depth == 1 and not step:
            # The commas of `lambda a, b: …` part its parameters, not our items.
            lambdas += (token.text == "lambda") - (token.text == ":" and lambdas > 0)
            if token.kind == tokenize.OP and token.text == "," and not lambdas:
                assert first is not None
                assert last is not None
                items.append(GroupItem(first.start, last.end, token.end))
                first = last = None
                continue
        first, last = first or token, token
    # Something stands where no item is expected, so the text is not what it was taken for.
    raise Refusal(f"{source.path}:{source.line(bracket)}: this bracket is not understood.")


def _count_depth_change(token: Token) -> int:
    """By how much a token goes deeper into brackets."""
    return (token.text in _OPEN) - (token.text in _CLOSE) if token.kind == tokenize.OP else 0


def find_group(source: Source, start: int, limit: int, opening: str = "(") -> Group:
    """The first group that opens with `opening` at depth 0, at or after `start`: `def name[T](…)`."""
    depth = 0
    for token in source.iter_tokens(start, limit):
        if depth == 0 and token.kind == tokenize.OP and token.text == opening:
            return read_group(source, token.start, limit)
        depth += _count_depth_change(token)
    raise Refusal(f"{source.path}:{source.line(start)}: no {opening!r} was found.")
