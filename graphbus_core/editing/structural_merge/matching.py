"""Which piece of a changed list is which piece of the list that it came from.

What is known by a unique name is itself, wherever it stands. Between such anchors, pieces of equal kind are paired in
order so that their likeness (the share of words that both have) is greatest. What is left over is new, or gone.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from graphbus_core.editing.structural_merge.pieces import DEFINITIONS, Piece

LIKE = 0.5  # of one kind, without a name in common: the least likeness of one piece to what became of it
NAMED = 0.2  # with the name in common
RENAMED = 0.6  # a definition under another name
CONTAINED = 0.85  # of the words of the smaller statement that the larger has, in order to have grown out of it
LEAST_CONTAINED = 12  # words; below that, containment says nothing
MAX_PAIRS = 40_000  # of one gap, that are compared at all


def align(base: Sequence[Piece], side: Sequence[Piece]) -> dict[int, int]:
    """Index in `base` -> index in `side`. Pairs may cross: a piece that stands elsewhere was moved."""
    base_keys, side_keys = _keys(base, side)
    pairs: dict[int, int] = {}
    gaps = []
    b = s = 0
    for block in SequenceMatcher(None, base_keys, side_keys, autojunk=False).get_matching_blocks():
        gaps.append((range(b, block.a), range(s, block.b)))
        pairs.update((block.a + i, block.b + i) for i in range(block.size))
        b, s = block.a + block.size, block.b + block.size
    for left, right in gaps:
        pairs.update(_alike(base, left, side, right))
    _follow_moves(base, side, pairs)
    return pairs


def likeness(a: Piece, b: Piece) -> float:
    """The share of words that both have, from 0 to 1."""
    total = sum(a.words.values()) + sum(b.words.values())
    common = sum(min(n, b.words.get(word, 0)) for word, n in a.words.items())
    return 2 * common / total if total else 1.0


def _containment(a: Piece, b: Piece) -> float:
    """The share of the words of the smaller that the larger has, too: a statement that something was put into."""
    sizes = sum(a.words.values()), sum(b.words.values())
    if min(sizes) < LEAST_CONTAINED:
        return 0.0
    return sum(min(n, b.words.get(word, 0)) for word, n in a.words.items()) / min(sizes)


def _keys(base: Sequence[Piece], side: Sequence[Piece]) -> tuple[list[str], list[str]]:
    """What each piece is anchored by: its name where both sides have it once, else what it says."""
    counts = [Counter(p.name for p in pieces if _is_anchor(p)) for pieces in (base, side)]
    unique = {name for name, n in counts[0].items() if n == 1 and counts[1][name] == 1}
    return (
        [p.name if _is_anchor(p) and p.name in unique else p.says for p in base],
        [p.name if _is_anchor(p) and p.name in unique else p.says for p in side],
    )


def _is_anchor(piece: Piece) -> bool:
    if piece.kind in ("item", "clause", "decorator"):
        return bool(piece.name)
    return piece.is_definition or piece.is_docstring


def _kind(piece: Piece) -> str:
    if piece.kind in ("open", "close"):
        return piece.kind
    if isinstance(piece.node, DEFINITIONS):
        return "class" if isinstance(piece.node, ast.ClassDef) else "def"
    if isinstance(piece.node, ast.Assign | ast.AnnAssign):
        return "set"
    if piece.kind == "clause":
        return piece.name.split(" ")[0].replace("elif", "if")
    if piece.kind == "item":
        return piece.name.split(" ")[0]
    return ",".join(type(n).__name__ for n in piece.nodes)


def _score(a: Piece, b: Piece) -> float:
    """How well one piece stands for the other; 0 where it cannot."""
    if _kind(a) != _kind(b):
        return 0.0
    like = likeness(a, b)
    if a.name and a.name == b.name:
        return like + 0.5 if like >= NAMED or a.kind == "item" or a.is_definition else 0.0
    if a.name and b.name and a.kind == "item":
        return 0.0  # another parameter, another key: not what became of this one
    if a.is_definition:
        return like if like >= RENAMED else 0.0
    if a.kind == "clause":
        return like + 0.1
    if like >= LIKE:
        return like
    return 0.4 if isinstance(getattr(a.node, "body", None), list) and _containment(a, b) >= CONTAINED else 0.0


def _alike(base: Sequence[Piece], left: range, side: Sequence[Piece], right: range) -> dict[int, int]:
    """The pairs of a gap, in order, whose likeness adds up to most."""
    if not left or not right or len(left) * len(right) > MAX_PAIRS:
        return {}
    if len(left) == len(right) == 1 and base[left[0]].kind == "item" and not base[left[0]].name:
        return {left[0]: right[0]} if not side[right[0]].name else {}
    best = [[0.0] * (len(right) + 1) for _ in range(len(left) + 1)]
    scores = [[_score(base[i], side[j]) for j in right] for i in left]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            paired = scores[i][j] + best[i + 1][j + 1] if scores[i][j] else 0.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs, i, j = {}, 0, 0
    while i < len(left) and j < len(right):
        if scores[i][j] and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            pairs[left[i]] = right[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _follow_moves(base: Sequence[Piece], side: Sequence[Piece], pairs: dict[int, int]) -> None:
    """Add the definitions that stand on the other side of an anchor."""
    placed = set(pairs.values())
    for i, piece in enumerate(base):
        if i in pairs or not piece.is_definition:
            continue
        for j, candidate in enumerate(side):
            is_namesake = j not in placed and candidate.is_definition and candidate.name == piece.name
            if is_namesake and likeness(piece, candidate) >= LIKE:
                pairs[i] = j
                placed.add(j)
                break
