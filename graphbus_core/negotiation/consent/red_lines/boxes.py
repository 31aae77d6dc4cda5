"""Sets of packages as unions of boxes: what a sentence excludes, without listing packages.

A box names, for some issues, the options that are in it; an issue that it does not name is free. A set is a tuple of
boxes. `()` is the empty set, `({},)` is every package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

Box = Mapping[int, frozenset[int]]
Packages = tuple[Box, ...]
EVERYTHING: Packages = ({},)
NOTHING: Packages = ()
MOST_BOXES = 400  # of one set; a sentence that needs more is asked about


def build_box(issue: int, options: Iterable[int]) -> Packages:
    """The packages in which an issue has one of these options."""
    chosen = frozenset(options)
    return ({issue: chosen},) if chosen else NOTHING


def unite(*parts: Packages) -> Packages:
    """What is in any of them."""
    return _simplify(box for part in parts for box in part)


def intersect(first: Packages, second: Packages) -> Packages:
    """What is in both."""
    out = []
    for a, b in product(first, second):
        both = {**a, **b, **{i: a[i] & b[i] for i in a.keys() & b.keys()}}
        if all(both.values()):
            out.append(both)
    return _simplify(out)


def complement(packages: Packages, shape: Sequence[int]) -> Packages:
    """Everything else."""
    rest = EVERYTHING
    for box in packages:
        outside = unite(*(build_box(i, frozenset(range(shape[i])) - options) for i, options in box.items()))
        rest = intersect(rest, outside)
    return rest


def are_equal(first: Packages, second: Packages, shape: Sequence[int]) -> bool:
    """Whether both are the same set."""
    return not intersect(first, complement(second, shape)) and not intersect(second, complement(first, shape))


def contains(packages: Packages, package: Sequence[int]) -> bool:
    """Whether the package is in the set."""
    return any(all(package[i] in options for i, options in box.items()) for box in packages)


def count(packages: Packages, shape: Sequence[int]) -> int:
    """How many packages it holds."""
    return sum(_measure(box, shape) for box in _make_disjoint(packages, shape))


def _make_disjoint(packages: Packages, shape: Sequence[int]) -> Packages:
    out: list[Box] = []
    for box in packages:
        pieces: Packages = (box,)
        for other in out:
            pieces = tuple(p for piece in pieces for p in _subtract(piece, other, shape))
        out.extend(pieces)
    return tuple(out)


def _subtract(box: Box, other: Box, shape: Sequence[int]) -> list[Box]:
    """The box without the other, in boxes that do not overlap."""
    out: list[Box] = []
    left = dict(box)
    for issue, options in other.items():
        own = left.get(issue, frozenset(range(shape[issue])))
        if own - options:
            out.append({**left, issue: own - options})
        if not own & options:
            return [box]
        left[issue] = own & options
    return out


def _measure(box: Box, shape: Sequence[int]) -> int:
    total = 1
    for issue, size in enumerate(shape):
        total *= len(box[issue]) if issue in box else size
    return total


def _simplify(boxes: Iterable[Box]) -> Packages:
    """Without boxes that lie in another."""
    kept: list[Box] = []
    for box in sorted(boxes, key=len):
        if not any(all(i in box and box[i] <= options for i, options in other.items()) for other in kept):
            kept.append(box)
    if len(kept) > MOST_BOXES:
        raise OverflowError("the sentence needs too many cases")
    return tuple(kept)
