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

from graphbus_core.build.confine.outcome import Refusal

_LINE_END = re.compile(rb"\r\n?|\n")
MAX_BYTES = 5_000_000  # of one source file


def parsed(text: str) -> ast.Module:
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
            return parsed(self.data.decode())  # as text: a coding line speaks of `raw`
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
        found = _LINE_END.search(self.data, offset)
        return found.start() if found else len(self.data)

    def next_line(self, offset: int) -> int:
        """Where the line after that of a place begins."""
        found = _LINE_END.search(self.data, offset)
        return found.end() if found else len(self.data)

    def newline(self, near: int) -> bytes:
        """The line end in use at a place; mixed files keep their mixture."""
        found = _LINE_END.search(self.data, self.line_start(near)) or _LINE_END.search(self.data)
        return found.group() if found else b"\n"

    def indent(self, offset: int) -> bytes:
        """The white space that the line of a place begins with."""
        start = self.line_start(offset)
        found = re.compile(rb"[ \t\f]*").match(self.data, start)
        assert found is not None
        return found.group().rpartition(b"\f")[2]

    def begins_line(self, offset: int) -> bool:
        """Whether only white space stands before a place on its line."""
        return not self.data[self.line_start(offset) : offset].strip(b" \t\f")

    def edited(self, edits: Iterable[Edit]) -> Source:
        """This file with the edits made. Raises Refusal where the new text has no place in the file's encoding."""
        data = splice(self.data, edits)
        try:
            raw = self.bom + (data if self.encoding == "utf-8" else data.decode().encode(self.encoding))
        except UnicodeEncodeError as e:
            raise Refusal(
                f"{self.path} is written in {self.encoding}, which has no {e.object[e.start : e.end]!r}."
            ) from None
        return Source(self.path, raw)

    def tokens(self, start: int, end: int) -> Iterator[Token]:
        """The tokens from `start`, which must stand outside of strings, to `end` at most."""
        part = self.data[start:end].replace(b"\r\n", b" \n").replace(b"\r", b"\n")  # same length
        text = part.decode()
        lines = re.findall(r"[^\n]*\n|[^\n]+", text)
        wide = not text.isascii()
        offsets = [start]
        for line in lines:
            offsets.append(offsets[-1] + (len(line.encode()) if wide else len(line)))

        def place(row: int, column: int) -> int:
            if row > len(lines):
                return offsets[-1]
            return offsets[row - 1] + (len(lines[row - 1][:column].encode()) if wide else column)

        try:
            for token in tokenize.generate_tokens(iter(lines).__next__):
                yield Token(token.type, token.string, place(*token.start), place(*token.end))
        except (tokenize.TokenError, SyntaxError, StopIteration):
            return


def splice(data: bytes, edits: Iterable[Edit]) -> bytes:
    """`data` with the edits made. They must not overlap; insertions at one place keep their order."""
    parts, at = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < at:
            raise Refusal("two edits overlap; give them as two proposals.")
        parts += [data[at : edit.start], edit.new]
        at = edit.end
    return b"".join([*parts, data[at:]])
