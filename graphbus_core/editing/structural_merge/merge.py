"""A three-way merge of Python sources by their structure: `base, ours, theirs -> candidates | conflicts`. Pure.

Lists of statements, clauses, parameters, arguments, entries and names are merged as lists; a piece that both sides
changed is merged by what stands in it; what cannot be taken apart any further is a conflict, never a pick. The text of
a side is kept byte for byte wherever that side alone has to say something. Where the order of two insertions is open,
each order is a candidate: whoever proves candidates decides between them, not the merge.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphbus_core.editing.source import Source
from graphbus_core.editing.statements import find_string_lines
from graphbus_core.editing.structural_merge.lines import merge_lines
from graphbus_core.editing.structural_merge.pieces import Field, Piece, module_pieces
from graphbus_core.editing.structural_merge.sequences import (
    Clash,
    Entry,
    drop_repeats,
    find_double,
    merge_sequences,
)
from graphbus_core.editing.structural_merge.wraps import flatten_wraps
from graphbus_core.model.edit_outcome import Refusal

MAX_CANDIDATES = 16


@dataclass(frozen=True)
class Conflict:
    """A place that both sides want otherwise: the symbol, why, and its three texts."""

    symbol: str
    reason: str
    line: int  # in ours, or in the base where ours has none
    base: str
    ours: str
    theirs: str


@dataclass(frozen=True)
class Site:
    """Two insertions at one place, whose order is open."""

    symbol: str
    place: int  # which of its symbol


LISTS = Site("", -1)  # every list whose order says something: parameters, positions, decorators, `except` clauses


@dataclass(frozen=True)
class Candidate:
    """One merged text. `theirs_first`: the open places where theirs stands before ours."""

    data: bytes
    theirs_first: frozenset[Site] = frozenset()
    ordered: tuple[str, ...] = ()  # symbols with a place whose order matters by itself: parameters, decorators, bases


@dataclass(frozen=True)
class Merged:
    """What a merge comes to: candidates, most natural first, or the conflicts that stand against any."""

    candidates: tuple[Candidate, ...]
    conflicts: tuple[Conflict, ...] = ()


def merge_sources(base: bytes, ours: bytes, theirs: bytes, path: str = "module.py") -> Merged:
    """Merge two changed versions of one Python source. Raises Refusal for bytes that are not Python."""
    if ours == theirs or theirs == base:
        return Merged((Candidate(ours),))
    if ours == base:
        return Merged((Candidate(theirs),))
    fields = tuple(module_pieces(Source(path, data)) for data in (base, ours, theirs))
    first = _Merging({})
    data = first.module(*fields)
    if first.conflicts:
        return Merged((), tuple(first.conflicts))
    ordered = tuple(dict.fromkeys(first.ordered))
    candidates = {data: Candidate(data, frozenset(), ordered)}
    for choice in _choices(first.sites):
        if len(candidates) == MAX_CANDIDATES:
            break
        merging = _Merging(dict.fromkeys(choice, True))
        data = merging.module(*fields)
        if not merging.conflicts:
            candidates.setdefault(data, Candidate(data, choice, ordered))
    return Merged(tuple(c for c in candidates.values() if _parses(path, c.data)) or (), ())


def _parses(path: str, data: bytes) -> bool:
    try:
        _ = Source(path, data).tree
    except Refusal:
        return False
    return True


def _choices(sites: Sequence[Site]) -> Iterator[frozenset[Site]]:
    """Orders to try beside ours first everywhere: theirs first everywhere, then in one symbol, then at one place."""
    if not sites:
        return
    yield frozenset(sites)
    symbols = dict.fromkeys(site.symbol for site in sites)
    if len(symbols) > 1:
        for symbol in symbols:
            yield frozenset(site for site in sites if site.symbol == symbol)
    for site in sites:
        yield frozenset([site])
        yield frozenset(sites) - {site}


@dataclass(frozen=True, eq=False)
class _Text:
    """Merged text of a statement, and the indentation that it is written at."""

    data: bytes
    indent: bytes


class _Merging:
    """One run, with one order chosen for each open place. Remembers the places and the conflicts that it met."""

    def __init__(self, theirs_first: Mapping[Site, bool]) -> None:
        self.theirs_first = theirs_first
        self.sites: list[Site] = []
        self.conflicts: list[Conflict] = []
        self.ordered: list[str] = []
        self.symbol: tuple[str, ...] = ()

    def module(self, base: Field, ours: Field, theirs: Field) -> bytes:
        sources = [f.items[0].source if f.items else None for f in (ours, theirs)]
        data = self.block(base, ours, theirs, b"")
        bom = next((s.bom for s in sources if s is not None), b"")
        return bom + data

    # ---- blocks

    def block(self, base: Field, ours: Field, theirs: Field, indent: bytes) -> bytes:
        """The statements of a block, written at an indentation."""
        old = base.items
        left, right = flatten_wraps(old, ours.items), flatten_wraps(old, theirs.items)
        try:
            entries = merge_sequences(old, left, right, self.chooses)
            entries = drop_repeats(entries)
            double = find_double(entries)
            if double is not None:
                raise Clash("both sides define it, each otherwise", None, double.ours, double.theirs)
            _check_nesting(entries)
        except Clash as clash:
            self.note(clash)
            return _text_of(ours)
        out: list[bytes] = []
        targets = [indent]
        for entry in entries:
            piece = entry.any
            if piece.kind == "close":
                targets.pop()
            try:
                text = self.statement(entry)
            except Clash as clash:
                whole = (entry.base, entry.ours, entry.theirs)
                simple = all(p is not None and not any(f.form == "clauses" for f in p.fields) for p in whole)
                self.note(Clash(clash.reason, *whole) if simple else clash)
                text = _Text(piece.text, piece.indent)
            out.append(_reindented(text.data, text.indent, targets[-1]))
            if piece.kind == "open":
                targets.append(targets[-1] + piece.depth.removeprefix(piece.indent))
        tail = self.tail(base, ours, theirs)
        return _joined([*out, tail])

    def chooses(self, ours: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
        """Whether theirs come first; an open place is remembered."""
        if all(p.kind == "item" and _stands_by_name(p) for p in (*ours, *theirs)):
            return _comes_first(theirs, ours)
        if all(p.kind in ("item", "clause", "decorator") for p in (*ours, *theirs)):
            self.ordered.append(self.path)
            site = LISTS
        elif are_independent(ours, theirs):
            return _comes_first(theirs, ours)
        else:
            site = Site(self.path, sum(s.symbol == self.path for s in self.sites))
        if site not in self.sites:
            self.sites.append(site)
        return self.theirs_first.get(site, False)

    def tail(self, base: Field, ours: Field, theirs: Field) -> bytes:
        """What stands below the last statement of a block: comments."""
        texts = [_tail_text(f) for f in (base, ours, theirs)]
        return _merge_quiet(*texts)

    @property
    def path(self) -> str:
        return ".".join(self.symbol)

    def note(self, clash: Clash) -> None:
        base, ours, theirs = (*clash.pieces, None, None, None)[:3]
        told = ours or base or theirs
        self.conflicts.append(
            Conflict(
                self.path or "module",
                clash.reason,
                told.line if told else 1,
                *(p.text.decode() if p is not None else "" for p in (base, ours, theirs)),
            )
        )

    # ---- statements

    def statement(self, entry: Entry) -> _Text:
        base, ours, theirs = entry.base, entry.ours, entry.theirs
        if ours is None or theirs is None:
            piece = entry.any
            return _Text(piece.text, _indent(piece))
        if base is None:
            alike = min(ours, theirs, key=lambda p: (len(p.text), p.text))
            return _Text(alike.text, _indent(alike))
        taken = _untouched(base, ours, theirs)
        if taken is not None:
            return _Text(taken.text, _indent(taken))
        lead = _merge_quiet(*(p.source.data[p.start : p.code] for p in (base, ours, theirs)))
        before = self.symbol
        if ours.is_definition:
            self.symbol = (*before, ours.name.removeprefix("def "))
        try:
            code = self.code(base, ours, theirs)
        finally:
            self.symbol = before
        return _Text(lead + code.data, code.indent)

    def code(self, base: Piece, ours: Piece, theirs: Piece) -> _Text:
        """A statement that both sides changed, without the comments above it."""
        if base.is_docstring and ours.is_docstring and theirs.is_docstring:
            return _Text(_merge_text(base, ours, theirs), ours.indent)
        plain = [_code_text(p) for p in (base, ours, theirs)]
        if plain[1] == plain[2] or plain[2] == plain[0]:
            return _Text(plain[1], ours.indent)
        if plain[1] == plain[0]:
            return _Text(plain[2], theirs.indent)
        parts = [{f.name: f for f in p.fields} for p in (base, ours, theirs)]
        if all("clauses" in p for p in parts):
            return self.compound(base, ours, theirs, parts)
        if any("clauses" in p for p in parts):
            raise Clash("both sides rewrote it", base, ours, theirs)
        frame = _frame_side(base, ours, theirs)
        return _Text(self.spliced(base, ours, theirs, frame, frame.code, frame.end), frame.indent)

    def compound(self, base: Piece, ours: Piece, theirs: Piece, parts: Sequence[Mapping[str, Field]]) -> _Text:
        indent = ours.indent
        old, left, right = (p["decorators"].items if "decorators" in p else () for p in parts)
        entries = drop_repeats(merge_sequences(old, left, right, self.chooses))
        out = b"".join(self.decorator(e, indent) for e in entries)
        old, left, right = (p["clauses"].items for p in parts)
        entries = drop_repeats(merge_sequences(old, left, right, self.chooses))
        texts = []
        for entry in entries:
            piece = entry.any
            if entry.base is None or entry.ours is None or entry.theirs is None:
                texts.append(_reindented(piece.text, piece.indent, indent))
                continue
            taken = _untouched(entry.base, entry.ours, entry.theirs)
            if taken is not None:
                texts.append(_reindented(taken.text, taken.indent, indent))
                continue
            texts.append(self.clause(entry.base, entry.ours, entry.theirs, indent))
        return _Text(out + _joined(texts), indent)

    def decorator(self, entry: Entry, indent: bytes) -> bytes:
        base, ours, theirs = entry.base, entry.ours, entry.theirs
        if base is None or ours is None or theirs is None:
            return _reindented(entry.any.text, entry.any.indent, indent)
        taken = _untouched(base, ours, theirs)
        if taken is not None:
            return _reindented(taken.text, taken.indent, indent)
        frame = _frame_side(base, ours, theirs)
        return _reindented(self.spliced(base, ours, theirs, frame, frame.start, frame.end), frame.indent, indent)

    def clause(self, base: Piece, ours: Piece, theirs: Piece, indent: bytes) -> bytes:
        frame = _frame_side(base, ours, theirs)
        lead = _merge_quiet(*(p.source.data[p.start : p.code] for p in (base, ours, theirs)))
        header = self.spliced(base, ours, theirs, frame, frame.code, frame.body_start)
        old, left, right = (next(f for f in p.fields if f.form == "block") for p in (base, ours, theirs))
        inner = ours.source.indent(left.items[0].code).removeprefix(ours.indent)
        return lead + _reindented(header, frame.indent, indent) + self.block(old, left, right, indent + inner)

    # ---- expressions

    def spliced(self, base: Piece, ours: Piece, theirs: Piece, frame: Piece, start: int, end: int) -> bytes:
        """The text of `frame` with every field in it merged."""
        three = [{f.name: f for f in p.fields if f.form != "block"} for p in (base, ours, theirs)]
        if len({frozenset(t) for t in three}) != 1:
            raise Clash("both sides rewrote it", base, ours, theirs)
        data = frame.source.data
        out, at = [], start
        for part in frame.fields:
            if part.form == "block":
                continue
            before, left, right = (t[part.name] for t in three)
            if part.form == "one":
                text = self.expression(before.items[0], left.items[0], right.items[0])
            else:
                text = self.list(before, left, right)
            out += [data[at : part.start], text]
            at = part.end
        return b"".join([*out, data[at:end]])

    def expression(self, base: Piece, ours: Piece, theirs: Piece) -> bytes:
        taken = _untouched(base, ours, theirs)
        if taken is not None:
            return taken.text
        if len({type(p.node) for p in (base, ours, theirs)}) != 1 or not base.fields:
            raise Clash("both sides rewrote it", base, ours, theirs)
        frame = _frame_side(base, ours, theirs)
        return self.spliced(base, ours, theirs, frame, frame.start, frame.end)

    def list(self, base: Field, ours: Field, theirs: Field) -> bytes:
        """Items between commas, laid out as the side that has them over more lines."""
        if _is_one_value(base, ours, theirs):
            raise Clash("both sides rewrote it", *(f.items[0] for f in (base, ours, theirs)))
        entries = drop_repeats(merge_sequences(base.items, ours.items, theirs.items, self.chooses))
        double = find_double(entries)
        if double is not None:
            raise Clash("both sides add it, each otherwise", None, double.ours, double.theirs)
        frame = _list_frame(base, ours, theirs)
        merged = []
        for e in entries:
            if e.base is not None and e.ours is not None and e.theirs is not None:
                merged.append((e, self.item(e.base, e.ours, e.theirs)))
            else:
                merged.append((e, e.any.text))
        if is_exploded(frame):
            return _exploded(frame, merged)
        return _inline(frame, merged)

    def item(self, base: Piece, ours: Piece, theirs: Piece) -> bytes:
        taken = _untouched(base, ours, theirs)
        if taken is not None:
            return taken.text
        return self.expression(base, ours, theirs)


# ---- choosing


def _is_one_value(base: Field, ours: Field, theirs: Field) -> bool:
    """Whether a list is one value, such as a version of three numbers, of which each side rewrote a part."""
    if not all(f.items for f in (base, ours, theirs)):
        return False
    nodes = [[p.node for p in f.items] for f in (base, ours, theirs)]
    if not all(isinstance(n, ast.Constant) for some in nodes for n in some):
        return False
    if not any(isinstance(n, ast.Constant) and isinstance(n.value, int | float) for n in nodes[0]):
        return False
    says = [[p.says for p in f.items] for f in (base, ours, theirs)]
    return says[1] != says[2] and all(any(word not in side for word in says[0]) for side in says[1:])


def _untouched(base: Piece, ours: Piece, theirs: Piece) -> Piece | None:
    """The side to take as it is written, where only one has to say something; None where both have."""
    if ours.text == theirs.text or theirs.text == base.text:
        return ours
    if ours.text == base.text:
        return theirs
    compound = any(f.form == "clauses" for f in ours.fields) if ours.kind == "statement" else ours.kind == "clause"
    if compound and ours.says != theirs.says:
        return None  # one of them only laid it out anew: deeper down, that is kept, too
    if ours.says == theirs.says:
        return max(ours, theirs, key=lambda p: p.text)
    if theirs.says == base.says:
        return ours
    if ours.says == base.says:
        return theirs
    return None


def _frame_side(base: Piece, ours: Piece, theirs: Piece) -> Piece:
    """Whose text stands around the merged fields: of the side that changed it. Raises Clash where both did."""
    if ours.frame != base.frame and theirs.frame != base.frame and ours.frame != theirs.frame:
        raise Clash("both sides rewrote it", base, ours, theirs)
    if ours.frame != theirs.frame:
        return ours if theirs.frame == base.frame else theirs
    frames = [_around(p) for p in (base, ours, theirs)]
    if frames[1] == frames[0]:
        return theirs
    if frames[2] == frames[0]:
        return ours
    return max(ours, theirs, key=lambda p: (p.text.count(b"\n"), p.text))


def _around(piece: Piece) -> bytes:
    """The text of a piece without its fields."""
    out, at = [], piece.code
    for part in piece.fields:
        out.append(piece.source.data[at : part.start])
        at = part.end
    return b"\0".join([*out, piece.source.data[at : piece.end]])


def _list_frame(base: Field, ours: Field, theirs: Field) -> Field:
    chosen = [f for f in (ours, theirs) if f.items] or [ours]
    chosen = [f for f in chosen if is_exploded(f)] or chosen
    old = _text_of_list(base)
    changed = [f for f in chosen if _text_of_list(f) != old] or chosen
    return max(changed, key=lambda f: (len(f.items), _text_of_list(f)))


def _text_of_list(field: Field) -> bytes:
    return field.items[0].source.data[field.start : field.end] if field.items else b""


def _comes_first(some: Sequence[Piece], others: Sequence[Piece]) -> bool:
    """One order for what has none, so that both orders of the branches come to one text."""
    return b"".join(p.text for p in some) < b"".join(p.text for p in others)


def _stands_by_name(piece: Piece) -> bool:
    """Whether an item means the same wherever it stands in its list: a keyword, a key, an imported name."""
    return piece.name.startswith(("keyword ", "key ", "name "))


def are_independent(ours: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    """Whether it makes no difference which comes first: neither does anything that the other could notice."""
    if all(_is_declaration(p) for p in (*ours, *theirs)):
        return True
    mine, other = _effects(ours), _effects(theirs)
    if mine is None or other is None:
        return False
    (gives, reads), (other_gives, other_reads) = mine, other
    return not (gives & (other_gives | other_reads) or other_gives & reads)


def _is_declaration(piece: Piece) -> bool:
    return piece.is_definition or piece.name.startswith(("import ", "from "))


def _effects(pieces: Sequence[Piece]) -> tuple[frozenset[str], frozenset[str]] | None:
    """What statements give a value to, and what they read; None where they may do anything."""
    gives: set[str] = set()
    reads: set[str] = set()
    for piece in pieces:
        if _is_declaration(piece):
            gives.add(piece.name)
            continue
        if piece.kind in ("open", "close"):
            return None
        for node in piece.nodes:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call | ast.Await | ast.Yield | ast.YieldFrom | ast.Raise | ast.Return):
                    return None
                if isinstance(inner, ast.Delete | ast.Assert | ast.Break | ast.Continue):
                    return None
                if isinstance(inner, ast.Name | ast.Attribute | ast.Subscript):
                    (gives if isinstance(inner.ctx, ast.Store) else reads).add(ast.unparse(inner))
    return frozenset(gives), frozenset(reads)


def _check_nesting(entries: Sequence[Entry]) -> None:
    """Raises Clash where two wraps cross, or where one side put a wrap around what the other removed."""
    opened: list[str] = []
    previous = ""
    for entry in entries:
        piece = entry.any
        if (previous, piece.kind) == ("open", "close"):
            raise Clash("removed by one side, and the other put something around it", None, entry.ours, entry.theirs)
        previous = piece.kind
        if piece.kind == "open":
            opened.append(piece.wrap)
        elif piece.kind == "close" and (not opened or opened.pop() != piece.wrap):
            raise Clash("both sides put something around it, and the two cross", entry.base, entry.ours, entry.theirs)


# ---- text


def _indent(piece: Piece) -> bytes:
    return piece.indent if piece.code < piece.end else b""


def _code_text(piece: Piece) -> bytes:
    return piece.source.data[piece.code : piece.end]


def _text_of(field: Field) -> bytes:
    return field.items[0].source.data[field.start : field.end] if field.items else b""


def _tail_text(field: Field) -> bytes:
    if not field.items:
        return b""
    last = field.items[-1]
    return last.source.data[last.end : field.end]


def _merge_quiet(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Comments and blank lines of both."""
    if ours == theirs or theirs == base:
        return ours
    if ours == base:
        return theirs
    three = [text.decode().splitlines(keepends=True) for text in (base, ours, theirs)]
    bare = [[line.strip() for line in lines if line.strip()] for lines in three]
    if bare[2] == bare[0] or bare[1] == bare[2]:
        return ours
    if bare[1] == bare[0]:
        return theirs
    merged = merge_lines(*three)
    if merged is None:
        first, second = sorted(three[1:])
        merged = [*first, *(line for line in second if line not in first)]
    return "".join(merged).encode()


def _merge_text(base: Piece, ours: Piece, theirs: Piece) -> bytes:
    """A docstring by its lines."""
    three = [_code_text(p).decode().split("\n") for p in (base, ours, theirs)]
    merged = merge_lines(*three)
    if merged is None:
        raise Clash("both sides rewrote a line of its text", base, ours, theirs)
    return "\n".join(merged).encode()


def _joined(chunks: Sequence[bytes]) -> bytes:
    """Chunks of whole lines; one that ended its file without a line end gets one where it is not the last."""
    out: list[bytes] = []
    for chunk in chunks:
        if out and chunk and not out[-1].endswith((b"\n", b"\r")):
            out.append(b"\n")
        if chunk:
            out.append(chunk)
    return b"".join(out)


def _reindented(data: bytes, indent: bytes, target: bytes) -> bytes:
    """Whole lines at another indentation; lines inside of a text are data and stay."""
    if indent == target:
        return data
    text = data.decode()
    kept = (
        find_string_lines("if 1:\n" + text if text[:1] in " \t" else text) if "'''" in text or '"""' in text else set()
    )
    shift = 1 if text[:1] in " \t" else 0
    lines = []
    for i, line in enumerate(text.split("\n")):
        old = indent.decode()
        if i + shift not in kept and line.startswith(old) and line.strip():
            line = target.decode() + line[len(old) :]
        lines.append(line)
    return "\n".join(lines).encode()


# ---- lists


def is_exploded(field: Field) -> bool:
    """Whether every item stands on lines of its own."""
    if not field.items:
        return False
    source = field.items[0].source
    return (
        all(source.is_line_start(i.start) for i in field.items)
        and source.is_line_start(field.end)
        and len({source.line(i.start) for i in field.items}) == len(field.items)
    )


def _exploded(frame: Field, merged: Sequence[tuple[Entry, bytes]]) -> bytes:
    """One item a line, each with the comments above and behind it."""
    source = frame.items[0].source
    indent = source.indent(frame.items[0].start)
    newline = source.newline(frame.start)
    first = source.next_line(frame.start)
    out = [source.data[frame.start : first]]
    for i, (entry, text) in enumerate(merged):
        piece = next((p for p in (entry.ours, entry.theirs) if p is not None and p.source is source), None)
        if piece is not None and any(p is piece for p in frame.items):
            lead, rest = _surroundings(frame, piece)
        else:
            lead, rest = _foreign_surroundings(entry.any, indent)
        needs_comma = i + 1 < len(merged) or _has_trailing_comma(frame)
        if needs_comma and not rest.lstrip().startswith(b","):
            rest = b"," + rest
        out.append(lead + text + rest + (b"" if rest.endswith((b"\n", b"\r")) else newline))
    last = source.next_line(frame.items[-1].end)
    return b"".join([*out, source.data[last : frame.end]])


def _surroundings(frame: Field, piece: Piece) -> tuple[bytes, bytes]:
    source = piece.source
    index = next(i for i, p in enumerate(frame.items) if p is piece)
    start = source.next_line(frame.items[index - 1].end) if index else source.next_line(frame.start)
    return source.data[start : piece.start], source.data[piece.end : source.next_line(piece.end)]


def _foreign_surroundings(piece: Piece, indent: bytes) -> tuple[bytes, bytes]:
    """The comments above an item of the other side, where it stands on a line of its own."""
    source = piece.source
    if not source.is_line_start(piece.start):
        return indent, b""
    start = source.line_start(piece.start)
    lines: list[bytes] = []
    while start > 0:
        above = source.line_start(start - 1)
        line = source.data[above:start]
        if not line.strip().startswith(b"#"):
            break
        lines.insert(0, indent + line.strip() + b"\n")
        start = above
    rest = source.data[piece.end : source.line_end(piece.end)]
    bare = rest.strip()
    keeps = bare.startswith((b",", b"#")) and bare.lstrip(b", \t")[:1] in (b"#", b"")
    return b"".join(lines) + indent, rest if keeps else b""


def _has_trailing_comma(frame: Field) -> bool:
    source = frame.items[0].source
    return source.data[frame.items[-1].end : frame.end].lstrip().startswith(b",")


def _inline(frame: Field, merged: Sequence[tuple[Entry, bytes]]) -> bytes:
    """Items behind one another, with the commas of the frame where they are its own neighbours."""
    if not frame.items:
        return b", ".join(text for _, text in merged)
    source = frame.items[0].source
    places = {id(p): i for i, p in enumerate(frame.items)}
    if not merged:
        return b""
    out: list[bytes] = [source.data[frame.start : frame.items[0].start]]
    previous: int | None = None
    for i, (entry, text) in enumerate(merged):
        here = next((places[id(p)] for p in (entry.ours, entry.theirs) if p is not None and id(p) in places), None)
        if i:
            neighbours = here is not None and previous is not None and here == previous + 1
            if neighbours and here is not None:
                out.append(source.data[frame.items[here - 1].end : frame.items[here].start])
            else:
                out.append(b", ")
        out.append(text)
        previous = here
    return b"".join([*out, source.data[frame.items[-1].end : frame.end]])
