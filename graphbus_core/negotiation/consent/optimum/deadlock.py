"""Why nothing can be agreed: a smallest set of red lines that cannot hold together.

Pure: an oracle that knows the outcomes is handed in. It is `enumerated.Crossings` where outcomes can be counted, and
`programmed.IntegerProgram` where they cannot; `best.find_deadlock` chooses.
"""

# Theory of operation
# ===================
#
# The question. Advocates at a table have red lines: "no plain files", "at most 6000 a month", "a total of at least
# 40". No outcome keeps them all. Telling people "there is no deal" helps nobody. They want to know *which* of their
# red lines cannot hold together, and the answer should be as short as it can be: two lines that exclude each other
# are an argument, thirty lines that somehow do are not. So: find a smallest set of red lines that no outcome keeps.
# (Every smaller set of lines can then be kept, so nothing in the answer is there by accident.)
#
# Why the obvious ways fail. Trying all pairs, then all triples, and so on asks "can these hold?" for every subset:
# with 40 lines and a conflict of 8 that is 100 million questions, each a search over all outcomes. Dropping lines
# one by one until the rest can hold ("deletion") is quick, but ends at *a* minimal set, which may be three times as
# long as the smallest; which one depends on the order.
#
# The other side of the coin. Take any outcome o, and let C(o) be the set of red lines that it crosses. A set S of
# lines is a conflict exactly if every outcome crosses at least one line of S:
#
#     S cannot hold together   <=>   for every outcome o:  S and C(o) have a line in common.
#
# A set that meets every member of a family of sets is called a *hitting set* of that family (a transversal). So a
# smallest conflict is a smallest hitting set of the family { C(o) : o an outcome }. (For those who know the field:
# the C(o) that are minimal are the minimal correction sets, and conflicts and corrections are each other's minimal
# hitting sets; Reiter 1987, Liffiton and Sakallah 2008.)
#
# Two trivial cases fall out. If some C(o) is empty, nothing hits it: there is no conflict, and o is a deal. If
# every outcome crosses the same line, that line alone is the conflict: it forbids everything.
#
# The family is too large to write down, and need not be. There may be 10^20 outcomes, but the smallest hitting set
# of a *few* of their C(o) is already a lower bound: whatever hits all sets hits those few. That gives the loop
# below, known as the implicit hitting set method (Moreno-Centeno and Karp 2013; MaxHS and the smallest-MUS solvers
# work this way):
#
#     can all lines be kept?   then there is no conflict. Else:
#     seen = []                                   sets C(o) of the outcomes looked at so far
#     repeat
#         S = a smallest hitting set of seen      a candidate: no conflict can be smaller than S
#         ask the oracle for an outcome that keeps all of S
#         none?    S is a conflict, and no smaller one exists. Done.
#         one, o?  S is not a conflict. C(o) misses S; add it to seen, so that S is never tried again.
#
# Why it ends, and why it is right. Each answer of the oracle adds a set that the current S does not hit, so every
# round's S differs from all before it, and there are finitely many sets of lines. At the end S is a conflict
# because no outcome keeps it, and smallest because it is a smallest hitting set of a part of the family, while
# every conflict must hit the whole of it.
#
# Why the oracle should answer with an outcome that crosses *few* lines. A small C(o) is a strong statement ("one of
# these two must be in every conflict") and a large one a weak statement. With outcomes that cross as few lines as
# possible the loop needs tens of rounds where arbitrary ones need thousands. Both oracles minimise the count.
#
# A worked example. Three lines a, b, c over one issue with options 1, 2, 3: a forbids 1 and 2, b forbids 2 and 3, c
# forbids 3. C(1) = {a}, C(2) = {a, b}, C(3) = {b, c}.
#
#     seen = []                 S = {}         an outcome that keeps nothing in particular: 1 crosses only a
#     seen = [{a}]              S = {a}        an outcome that keeps a: 3 crosses {b, c}
#     seen = [{a}, {b, c}]      S = {a, b}     an outcome that keeps a and b: none. Conflict: a and b.
#
# (a and c would be another of the same size. Which of several is found is fixed by canonical order, so that two
# people who compute the proof again get the same one; `verification` accepts any of them.)
#
# The inner problem, a smallest hitting set of a handful of small sets, is itself hard in general and easy here. It
# is branch and bound: keep only sets that contain no other set; start from the greedy solution as the bound to
# beat; at each node take the smallest set that is not hit yet and try each of its elements; an element that was
# tried is banned in the later branches of the same node, because hitting sets with it have all been looked at. The
# lower bound that prunes: sets that are pairwise disjoint need an element each.
#
# Cost. With enumeration each outcome is looked at once, to collect the distinct C(o) as bit masks (a few thousand,
# from millions of outcomes); the loop then runs over masks. With the solver each oracle call is a small
# mixed-integer program. Forty lines and six parties take milliseconds and seconds respectively.
#
# What is not here. *Which* line should give way is a second question: as few as possible, then as cheaply as
# possible, measured in each line's own unit. That is a plain minimum over outcomes, computed by the same searches
# (`Crossings.relaxation`, `IntegerProgram.find_cheapest_relaxation`), and its answer need not touch every line of the
# conflict: relaxing one line of each conflict is enough.

from __future__ import annotations

from collections.abc import Callable, Sequence

Oracle = Callable[[frozenset[int]], frozenset[int] | None]


def find_smallest_conflict(count: int, keeping: Oracle) -> frozenset[int] | None:
    """A smallest set of lines 0..count-1 that cannot hold together, or None where all of them can.

    `keeping(S)`: the lines that some outcome crosses which keeps S, or None where no outcome keeps S.
    """
    crossed = keeping(frozenset(range(count)))
    if crossed is not None:
        return None
    crossed_sets: list[frozenset[int]] = []
    while True:
        candidate = find_smallest_hitting_set(crossed_sets)
        crossed = keeping(candidate)
        if crossed is None:
            return candidate
        assert crossed, "with no line crossed, all would hold"
        assert not crossed & candidate, "an outcome that keeps the candidate crosses something else"
        crossed_sets.append(crossed)


def find_smallest_hitting_set(sets: Sequence[frozenset[int]]) -> frozenset[int]:
    """A smallest set that meets each of `sets` (none empty): branch and bound, deterministic."""
    minimal = [s for s in set(sets) if not any(t < s for t in sets)]
    minimal.sort(key=lambda s: (len(s), sorted(s)))
    greedy: set[int] = set()
    remaining = list(minimal)
    while remaining:
        counts: dict[int, int] = {}
        for s in remaining:
            for i in s:
                counts[i] = counts.get(i, 0) + 1
        pick = min(counts, key=lambda i: (-counts[i], i))
        greedy.add(pick)
        remaining = [s for s in remaining if pick not in s]
    best = frozenset(greedy)

    def search(chosen: frozenset[int], unhit_sets: list[frozenset[int]]) -> None:
        nonlocal best
        if not unhit_sets:
            if len(chosen) < len(best):
                best = chosen
            return
        apart, used = 0, set[int]()
        for s in unhit_sets:  # disjoint sets need an element each: a lower bound
            if not s & used:
                apart += 1
                used |= s
        if len(chosen) + apart >= len(best):
            return
        branch = min(unhit_sets, key=lambda s: (len(s), sorted(s)))
        banned: set[int] = set()
        for i in sorted(branch):
            rest = [s - banned for s in unhit_sets if i not in s]
            if all(rest):
                search(chosen | {i}, rest)
            banned.add(i)

    search(frozenset(), minimal)
    return best
