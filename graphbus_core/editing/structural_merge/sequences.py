"""Three lists of pieces become one: what each side inserted, removed, changed or moved is in it, or it is a clash."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from graphbus_core.editing.structural_merge.matching import align, likeness
from graphbus_core.editing.structural_merge.pieces import Piece


class Clash(Exception):
    """Both sides want something else of one place. Carried up to the statement that it is told by."""

    def __init__(self, reason: str, *pieces: Piece | None) -> None:
        super().__init__(reason)
        self.reason, self.pieces = reason, pieces


@dataclass(frozen=True, eq=False)
class Entry:
    """One place of the merged list: the piece as each of the three has it."""

    base: Piece | None
    ours: Piece | None
    theirs: Piece | None

    @property
    def any(self) -> Piece:
        piece = self.ours or self.theirs or self.base
        assert piece is not None
        return piece


@dataclass(frozen=True, eq=False)
class _Side:
    """A side's list, told by the list that it came from."""

    pieces: Sequence[Piece]
    of_base: dict[int, int]  # index of the base -> index here
    inserted: dict[int, list[int]] = field(default_factory=dict)  # gap before an index of the base -> new and moved
    replacing: dict[int, list[int]] = field(default_factory=dict)  # index of the base that is gone -> what stands there
    moved: dict[int, int] = field(default_factory=dict)  # index here -> index of the base

    def at(self, base_index: int) -> Piece | None:
        place = self.of_base.get(base_index)
        return None if place is None else self.pieces[place]

    def is_moved(self, base_index: int) -> bool:
        return self.of_base.get(base_index) in self.moved


def merge_sequences(
    base: Sequence[Piece],
    ours: Sequence[Piece],
    theirs: Sequence[Piece],
    theirs_first: Callable[[Sequence[Piece], Sequence[Piece]], bool],
) -> list[Entry]:
    """The merged list. `theirs_first` decides the order of two insertions at one place. Raises Clash."""
    left, right = _read_side(base, ours), _read_side(base, theirs)
    return list(_Walk(base, left, right, theirs_first).entries())


def _read_side(base: Sequence[Piece], pieces: Sequence[Piece]) -> _Side:
    pairs = align(base, pieces)
    skeleton = _in_order(pairs)
    side = _Side(pieces, pairs)
    side.moved.update({s: b for b, s in pairs.items() if b not in skeleton})
    standing = {s: b for b, s in skeleton.items()}
    gap = 0
    for i in range(len(pieces)):
        if i in standing:
            gap = standing[i] + 1
            continue
        if gap < len(base) and gap not in pairs and i not in side.moved and pieces[i].kind not in ("open", "close"):
            side.replacing.setdefault(gap, []).append(i)
        else:
            side.inserted.setdefault(gap, []).append(i)
    return side


def _in_order(pairs: dict[int, int]) -> dict[int, int]:
    """The longest part of the pairs that does not cross."""
    ordered = sorted(pairs.items())
    best: list[tuple[int, int]] = []  # length, index of the pair before
    for i, (_, s) in enumerate(ordered):
        before = max(((best[j][0], j) for j in range(max(0, i - 400), i) if ordered[j][1] < s), default=(0, -1))
        best.append((before[0] + 1, before[1]))
    if not best:
        return {}
    at = max(range(len(best)), key=lambda i: best[i][0])
    chain = {}
    while at >= 0:
        chain[ordered[at][0]] = ordered[at][1]
        at = best[at][1]
    return chain


class _Walk:
    """Goes through the base once and lays down what both sides have at each place."""

    def __init__(
        self,
        base: Sequence[Piece],
        left: _Side,
        right: _Side,
        theirs_first: Callable[[Sequence[Piece], Sequence[Piece]], bool],
    ) -> None:
        self.base, self.left, self.right, self.theirs_first = base, left, right, theirs_first

    def entries(self) -> Iterator[Entry]:
        for gap in range(len(self.base) + 1):
            yield from self._gap(gap)
            if gap < len(self.base):
                yield from self._old(gap)

    def _gap(self, gap: int) -> Iterator[Entry]:
        ours, theirs = self.left.inserted.get(gap, []), self.right.inserted.get(gap, [])
        left = [self._entry(self.left, i, True) for i in ours]
        right = [self._entry(self.right, i, False) for i in theirs]
        yield from self._both(left, right)

    def _entry(self, side: _Side, index: int, is_ours: bool) -> Entry:
        """What a side put at a place: new, or moved here and perhaps changed by the other where it stood."""
        piece = side.pieces[index]
        if index not in side.moved:
            return Entry(None, piece if is_ours else None, None if is_ours else piece)
        old = side.moved[index]
        other = self.right if is_ours else self.left
        elsewhere = other.at(old)
        if elsewhere is None:
            raise Clash("moved by one side and removed by the other", self.base[old], piece)
        return Entry(self.base[old], piece if is_ours else elsewhere, elsewhere if is_ours else piece)

    def _both(self, left: list[Entry], right: list[Entry]) -> Iterator[Entry]:
        """Two insertions at one place: what is the same stands once, the rest in one order or the other."""
        if not left or not right:
            yield from left or right
            return
        if _cross(left, right):
            yield from self._ordered(left, right)  # `drop_repeats` leaves each where the side that is first has it
            return
        a = b = 0
        for i, j, size in _match(left, right):
            yield from self._ordered(left[a:i], right[b:j])
            for mine, other in zip(left[i : i + size], right[j : j + size], strict=True):
                yield Entry(mine.base, mine.ours, other.theirs)
            a, b = i + size, j + size

    def _ordered(self, left: list[Entry], right: list[Entry]) -> list[Entry]:
        if left and right and self.theirs_first([e.any for e in left], [e.any for e in right]):
            return [*right, *left]
        return [*left, *right]

    def _old(self, i: int) -> Iterator[Entry]:
        left, right = self.left.at(i), self.right.at(i)
        mine = [Entry(None, self.left.pieces[j], None) for j in self.left.replacing.get(i, [])]
        other = [Entry(None, None, self.right.pieces[j]) for j in self.right.replacing.get(i, [])]
        if left is not None and right is not None:
            moves = self.left.is_moved(i), self.right.is_moved(i)
            if all(moves):
                yield from ()  # both moved it: it stands where they put it, once, or the promises tell
            elif not any(moves):
                yield Entry(self.base[i], left, right)
            return
        if left is None and right is None:
            if mine and other and [e.any.says for e in mine] != [e.any.says for e in other]:
                raise Clash("both sides replaced it", self.base[i], mine[0].ours, other[0].theirs)
            yield from self._both(mine, other)
            return
        standing = right if left is None else left
        assert standing is not None
        if standing.says != self.base[i].says:
            raise Clash(
                "removed by one side and changed by the other",
                self.base[i],
                left or (mine[0].ours if mine else None),
                right or (other[0].theirs if other else None),
            )
        yield from mine or other


def _cross(left: list[Entry], right: list[Entry]) -> bool:
    """Whether both sides put the same named pieces there, each in another order."""
    common = {e.any.says for e in left if _stands_once(e.any)} & {e.any.says for e in right}
    return [e.any.says for e in left if e.any.says in common] != [e.any.says for e in right if e.any.says in common]


def _match(left: list[Entry], right: list[Entry]) -> list[tuple[int, int, int]]:
    """The blocks that are in both lists, the same whichever list is called the left one."""
    ours, theirs = [e.any.says for e in left], [e.any.says for e in right]
    # The matcher breaks ties by its first list, so it is always given the same one first.
    if ours <= theirs:
        return [(i, j, n) for i, j, n in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()]
    return [(i, j, n) for j, i, n in SequenceMatcher(None, theirs, ours, autojunk=False).get_matching_blocks()]


def drop_repeats(entries: Sequence[Entry]) -> list[Entry]:
    """The list without what both sides added at different places: it stands once, where it stands first."""
    sides: dict[str, set[bool]] = {}
    for entry in entries:
        if _is_of_one_side(entry) and _stands_once(entry.any):
            sides.setdefault(entry.any.says, set()).add(entry.ours is not None)
    out, seen = [], set()
    for entry in entries:
        says = entry.any.says
        if _is_of_one_side(entry) and len(sides.get(says, ())) == 2:
            if says in seen:
                continue
            seen.add(says)
        out.append(entry)
    return out


def _is_of_one_side(entry: Entry) -> bool:
    return entry.base is None and (entry.ours is None) != (entry.theirs is None)


def _stands_once(piece: Piece) -> bool:
    """Whether a second one of the same would say nothing: an import, a definition, a named item."""
    if piece.kind in ("item", "clause", "decorator"):
        return bool(piece.name)
    return piece.is_definition or piece.name.startswith(("import ", "from "))


def find_double(entries: Sequence[Entry]) -> Entry | None:
    """A name that both sides gave, each with another meaning."""
    mine = {e.any.name: e for e in entries if e.base is None and e.ours is not None and e.theirs is None}
    for entry in entries:
        if entry.base is None and entry.theirs is not None and entry.ours is None and entry.any.name:
            other = mine.get(entry.any.name)
            if other is not None and _names_one_thing(entry.any) and other.any.says != entry.any.says:
                return Entry(None, other.ours, entry.theirs)
    return None


def _names_one_thing(piece: Piece) -> bool:
    return piece.is_definition or (piece.kind == "item" and bool(piece.name))


__all__ = ["Clash", "Entry", "drop_repeats", "find_double", "likeness", "merge_sequences"]
