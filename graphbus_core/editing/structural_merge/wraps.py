"""A statement that one side put around old ones, read as two marks: what stood there stands there still.

`with lock:` around three old statements is `open, a, b, c, close`. So the list stays flat, the old statements are
recognised, and what the other side added between them falls into the wrap by its place alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphbus_core.editing.structural_merge.matching import align, likeness
from graphbus_core.editing.structural_merge.pieces import Piece

MAX_WRAPS = 8  # in one list: wraps in wraps are read one after the other
LEAST_WORDS = 4  # of a statement by which a wrap is recognised; `return` alone says nothing


def flatten_wraps(base: Sequence[Piece], side: Sequence[Piece]) -> tuple[Piece, ...]:
    """`side` with every statement that stands around statements of `base` replaced by its marks and its block."""
    pieces = tuple(side)
    for _ in range(MAX_WRAPS):
        flat = _flatten_first(base, pieces)
        if flat is None:
            return pieces
        pieces = flat
    return pieces


def _flatten_first(base: Sequence[Piece], side: Sequence[Piece]) -> tuple[Piece, ...] | None:
    says = {p.says for p in side}
    lost = [p for p in base if p.says not in says and sum(p.words.values()) >= LEAST_WORDS]
    if not lost:
        return None
    old = {p.says for p in base}
    for i, piece in enumerate(side):
        if piece.kind != "statement" or piece.says in old or piece.is_definition:
            continue
        clause = _clause_around(piece, lost, align(base, side), base, i)
        if clause is not None:
            return (*side[:i], *_marks(piece, clause), *side[i + 1 :])
    return None


def _clause_around(
    piece: Piece, lost: Sequence[Piece], pairs: dict[int, int], base: Sequence[Piece], index: int
) -> Piece | None:
    """The clause of a statement in which lost statements stand; None where it is not a wrap."""
    clauses = [c for f in piece.fields if f.form == "clauses" for c in f.items]
    best, weight = None, 0
    partner = next((base[b] for b, s in pairs.items() if s == index), None)
    for clause in clauses:
        block = next(f for f in clause.fields if f.form == "block")
        inside = {p.says for p in block.items}
        same = sum(sum(p.words.values()) for p in lost if p.says in inside)
        if not same and partner is None:
            same = sum(
                sum(p.words.values())
                for p in lost
                if any(type(p.node) is type(q.node) and p.kind == q.kind and likeness(p, q) > 0.7 for q in block.items)
            )
        if same > weight:
            best, weight = clause, same
    if best is not None and partner is not None and likeness(partner, piece) > 0.9:
        return None  # the same statement, in which something stands twice
    return best


def _marks(piece: Piece, clause: Piece) -> tuple[Piece, ...]:
    block = next(f for f in clause.fields if f.form == "block")
    source = piece.source
    inner = source.indent(block.items[0].code)
    wrap = f"{piece.start}:{clause.start}"
    opening = Piece(source, "open", (), piece.start, piece.code, block.start, wrap=wrap, depth=inner)
    end = block.items[-1].end
    closing = Piece(source, "close", (), end, end, piece.end, wrap=wrap, depth=inner)
    return (opening, *block.items, closing)
