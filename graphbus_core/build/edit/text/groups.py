"""Comma-separated items between brackets: entries of a dict, parameters, arguments, imported names.

Token by token, so that parentheses, comments and line ends stand where they stood. Knows nothing of what an item means.
"""

from __future__ import annotations

import tokenize
from collections.abc import Iterable
from dataclasses import dataclass

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.source import Edit, Source, Token

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

    def index(self, offset: int) -> int:
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
            here = self.items[index]
            # On a line of its own the neighbour shows how this group is written: one item a line.
            if src.begins_line(here.start):
                gap = src.newline(here.start) + src.indent(here.start)
                return [Edit(here.start, here.start, new + b"," + gap)]
            return [Edit(here.start, here.start, new + b", ")]
        last = self.items[-1]
        if not src.begins_line(last.start):
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
        if src.begins_line(item.start) and alone:
            edits = [Edit(src.line_start(item.start), src.next_line(item.full_end), b"")]
            if last and item.comma is None and previous is not None and previous.comma is not None:
                edits.insert(0, Edit(previous.end, previous.comma, b""))
            return edits
        if previous is None:
            end = self.items[1].start if not last and not src.begins_line(self.items[1].start) else item.full_end
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


def group(source: Source, bracket: int, limit: int) -> Group:
    """The group that opens at `bracket`. Raises Refusal where its tokens do not add up before `limit`."""
    return _read(source, source.tokens(bracket, limit), bracket)


def _read(source: Source, tokens: Iterable[Token], bracket: int) -> Group:
    """The group from tokens whose first one is the opening bracket."""
    depth, lambdas, items = 0, 0, []
    first: Token | None = None
    last: Token | None = None
    for token in tokens:
        if token.kind in _SPACE:
            continue
        step = _step(token)
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


def _step(token: Token) -> int:
    """By how much a token goes deeper into brackets."""
    return (token.text in _OPEN) - (token.text in _CLOSE) if token.kind == tokenize.OP else 0


def bracket_group(source: Source, start: int, limit: int, opening: str = "(") -> Group:
    """The first group that opens with `opening` at depth 0, at or after `start`: `def name[T](…)`."""
    depth = 0
    for token in source.tokens(start, limit):
        if depth == 0 and token.kind == tokenize.OP and token.text == opening:
            return group(source, token.start, limit)
        depth += _step(token)
    raise Refusal(f"{source.path}:{source.line(start)}: no {opening!r} was found.")
