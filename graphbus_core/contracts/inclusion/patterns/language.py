"""Sets of strings as terms with derivatives (Brzozowski): intersection and complement cost nothing, a term is a state.

The derivative of a term by a character is the term of what may follow. A language is empty where no reachable term
takes the empty string; the path to the nearest that does is a shortest word. Characters are taken one for each class
that no set in the terms tells apart. Terms are interned in an Arena, so that equal ones are the same object.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from graphbus_core.contracts.inclusion.patterns import regex
from graphbus_core.contracts.inclusion.patterns.anchors import at_place, has, may_be_empty
from graphbus_core.contracts.inclusion.patterns.regex import ALL, Node, Ranges
from graphbus_core.contracts.values.budget import Budget, GivesUp

NONE, EPS, SET, CAT, ALT, AND, NOT, STAR, LOOP, LOOK = range(10)
_NICE = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. "
MAX_UNROLL = 200  # copies of a repeated part that holds a look


class Term:
    """A set of strings. `nullable`: whether it holds the empty one. `looks`: whether a bare lookahead stands in it."""

    __slots__ = ("args", "looks", "next", "nullable", "number", "op", "ranges")

    def __init__(self, op: int, args: tuple[object, ...], nullable: bool, looks: bool, number: int) -> None:
        self.op, self.args, self.nullable, self.looks, self.number = op, args, nullable, looks, number
        self.next: dict[int, Term] = {}
        self.ranges: frozenset[Ranges] | None = None


class Arena:
    """Where terms live: one for each decision, so that nothing outlives it."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._terms: dict[tuple[object, ...], Term] = {}
        self._patterns: dict[str, Term] = {}
        self.none = self._make(NONE, (), False)
        self.eps = self._make(EPS, (), True)
        self.any = self._make(SET, (ALL,), False)
        self.every = self._make(STAR, (self.any,), True)

    def _make(self, op: int, args: tuple[object, ...], nullable: bool, looks: bool = False) -> Term:
        # By number, so that a key is short however deep its term is. Equal terms are one object, so a state that was
        # seen is known again: that is what makes the search for a word end.
        key = (op, *(a.number if isinstance(a, Term) else a for a in args))
        found = self._terms.get(key)
        if found is None:
            self._budget.take()
            found = self._terms[key] = Term(op, args, nullable, looks, len(self._terms))
        return found

    # ---- building

    def chars(self, ranges: Ranges) -> Term:
        return self._make(SET, (ranges,), False) if ranges else self.none

    def word(self, text: str) -> Term:
        made = self.eps
        for c in reversed(text):
            made = self.cat(self.chars(((ord(c), ord(c)),)), made)
        return made

    def cat(self, a: Term, b: Term) -> Term:
        if a is self.none or b is self.none:
            return self.none
        if a is self.eps:
            return b
        if a.looks:
            if a.op == LOOK:
                return self.both((a.args[0], b))  # type: ignore[arg-type]
            if a.op == ALT:
                return self.either(self.cat(x, b) for x in a.args)  # type: ignore[arg-type]
        if b is self.eps and not a.looks:
            return a
        if a.op == CAT:
            return self.cat(a.args[0], self.cat(a.args[1], b))  # type: ignore[arg-type]
        if a is self.every and (b is self.every or (b.op == CAT and b.args[0] is self.every)):
            return b
        return self._make(CAT, (a, b), a.nullable and b.nullable, a.looks or b.looks)

    def either(self, terms: Iterable[Term]) -> Term:
        flat: dict[int, Term] = {}
        ranges: list[tuple[int, int]] = []
        for term in terms:
            for one in term.args if term.op == ALT else (term,):
                assert isinstance(one, Term)
                if one is self.every:
                    return one
                if one.op == SET:
                    ranges.extend(one.args[0])  # type: ignore[arg-type]
                elif one is not self.none:
                    flat[one.number] = one
        if ranges:
            merged = self.chars(regex.merge(ranges))
            flat[merged.number] = merged
        for one in flat.values():
            if one.op == NOT and one.args[0].number in flat:  # type: ignore[attr-defined]
                return self.every
        if len(flat) <= 1:
            return next(iter(flat.values()), self.none)
        parts = tuple(flat[k] for k in sorted(flat))
        return self._make(ALT, parts, any(p.nullable for p in parts), any(p.looks for p in parts))

    def both(self, terms: Iterable[Term]) -> Term:
        flat: dict[int, Term] = {}
        for term in terms:
            for one in term.args if term.op == AND else (term,):
                assert isinstance(one, Term)
                if one is self.none:
                    return one
                if one is not self.every:
                    flat[one.number] = one
        if self.eps.number in flat:
            return self.eps if all(t.nullable for t in flat.values()) else self.none
        if not self._meet_sets(flat):
            return self.none
        # A set and its complement: seen here, or each of their characters would be walked to find the same.
        for one in flat.values():
            if one.op == NOT and one.args[0].number in flat:  # type: ignore[attr-defined]
                return self.none
        if len(flat) <= 1:
            return next(iter(flat.values()), self.every)
        parts = tuple(flat[k] for k in sorted(flat))
        return self._make(AND, parts, all(p.nullable for p in parts))

    def _meet_sets(self, flat: dict[int, Term]) -> bool:
        """Sets of single characters become the one that they share; False where they share none.

        Else `[a-c]` and `[b-d]` would stand side by side, and equal languages would be different terms.
        """
        sets = [t for t in flat.values() if t.op == SET]
        if len(sets) <= 1:
            return True
        ranges: Ranges = ALL
        for one in sets:
            ranges = regex.intersect(ranges, one.args[0])  # type: ignore[arg-type]
            del flat[one.number]
        merged = self.chars(ranges)
        flat[merged.number] = merged
        return merged is not self.none

    def without(self, term: Term) -> Term:
        """The complement."""
        if term.op == NOT:
            return term.args[0]  # type: ignore[return-value]
        if term is self.none:
            return self.every
        if term is self.every:
            return self.none
        return self._make(NOT, (term,), not term.nullable)

    def repeat(self, term: Term, low: int, high: int | None) -> Term:
        if high == 0 or (term is self.none and low == 0) or term is self.eps:
            return self.eps
        if term is self.none:
            return self.none
        if low == 1 and high == 1:
            return term
        if low == 0 and high is None:
            if term.op == STAR:
                return term
            return self._make(STAR, (term,), True, term.looks)
        if term.op == STAR and not term.looks:
            return term
        return self._make(LOOP, (term, low, high), low == 0 or term.nullable, term.looks)

    def length(self, low: int, high: int | None) -> Term:
        """All strings of so many characters."""
        return self.repeat(self.any, low, high)

    # ---- from patterns

    def pattern(self, text: str) -> Term:
        """The strings in which a pattern is found somewhere (as JSON Schema means it). Raises GivesUp."""
        if text not in self._patterns:
            self._patterns[text] = self._search(regex.parse(text))
        return self._patterns[text]

    def _search(self, tree: Node) -> Term:
        # A pattern is searched for, not matched: `^` is the exception, and makes the rest of the text count.
        if not has(tree, "start"):
            return self.cat(self.every, self._build(tree, self.every))
        at_start = self._build(at_place(tree, True), self.every)
        later = self._build(at_place(tree, False), self.every)
        return self.either((at_start, self.cat(self.any, self.cat(self.every, later))))

    def _build(self, node: Node, rest: Term) -> Term:
        """The strings that start with the node and go on with `rest`."""
        kind = node[0]
        if kind == "set":
            return self.cat(self.chars(node[1]), rest)
        if kind == "cat":
            for part in reversed(node[1]):
                rest = self._build(part, rest)
            return rest
        if kind == "alt":
            return self.either(self._build(part, rest) for part in node[1])
        if kind == "look":
            ahead = self._build(node[1], self.every)
            return self.both((self.without(ahead) if node[2] else ahead, rest))
        if kind == "never":
            return self.none
        _, inner, low, high = node
        if not has(inner, "look"):
            return self.cat(self.repeat(self._build(inner, self.eps), low, high), rest)
        if may_be_empty(inner):
            return self._build_empty_looks(inner, low, high, rest)
        if low + (high or low) > MAX_UNROLL:
            raise GivesUp("pattern", "a lookahead is repeated too often in a pattern")
        if high is None:
            rest = self.cat(self._make(STAR, (self._bare(inner),), True, True), rest)
        else:
            whole = rest
            for _ in range(high - low):
                rest = self.either((whole, self._build(inner, rest)))
        for _ in range(low):
            rest = self._build(inner, rest)
        return rest

    def _build_empty_looks(self, inner: Node, low: int, high: int | None, rest: Term) -> Term:
        if low == 0 and high == 1:
            return self.either((rest, self._build(inner, rest)))
        if low == high == 1:
            return self._build(inner, rest)
        raise GivesUp("pattern", "a lookahead that may be empty is repeated in a pattern")

    def _bare(self, node: Node) -> Term:
        """A term in which looks stand bare, for the body of a star: `cat` resolves them when more follows."""
        kind = node[0]
        if kind == "set":
            return self.chars(node[1])
        if kind == "cat":
            made = self.eps
            for part in reversed(node[1]):
                one = self._bare(part)
                made = one if made is self.eps else self._pair(one, made)
            return made
        if kind == "alt":
            parts = [self._bare(p) for p in node[1]]
            if not any(p.looks for p in parts):
                return self.either(parts)
            return self._make(ALT, tuple(parts), any(p.nullable for p in parts), True)
        if kind == "look":
            ahead = self._build(node[1], self.every)
            return self._make(LOOK, (self.without(ahead) if node[2] else ahead,), True, True)
        if kind == "never":
            return self.none
        if has(node[1], "look"):
            raise GivesUp("pattern", "lookaheads are nested in repetitions in a pattern")
        return self.repeat(self._bare(node[1]), node[2], node[3])

    def _pair(self, a: Term, b: Term) -> Term:
        if not a.looks:
            return self.cat(a, b)
        if a.op == CAT:
            return self._pair(a.args[0], self._pair(a.args[1], b))  # type: ignore[arg-type]
        return self._make(CAT, (a, b), a.nullable and b.nullable, True)

    # ---- derivatives

    def after(self, term: Term, c: int) -> Term:
        """What may follow when `c` was read."""
        found = term.next.get(c)
        if found is None:
            self._budget.take()
            found = term.next[c] = self._after(term, c)
        return found

    def _after(self, term: Term, c: int) -> Term:
        op = term.op
        if op == SET:
            return self.eps if any(low <= c <= high for low, high in term.args[0]) else self.none  # type: ignore[attr-defined]
        if op == CAT:
            a: Term = term.args[0]  # type: ignore[assignment]
            b: Term = term.args[1]  # type: ignore[assignment]
            if a.looks and a.op == STAR:  # its body must meet what follows before a look in it means anything
                more = self.after(self.cat(a.args[0], term), c)  # type: ignore[arg-type]
                return self.either((more, self.after(b, c)))
            if a.looks:
                return self.after(self.cat(a, b), c)
            head = self.cat(self.after(a, c), b)
            return self.either((head, self.after(b, c))) if a.nullable else head
        if op == ALT:
            return self.either([self.after(a, c) for a in term.args])  # type: ignore[arg-type]
        if op == AND:
            made = []
            for part in term.args:
                one = self.after(part, c)  # type: ignore[arg-type]
                if one is self.none:
                    return one
                made.append(one)
            return self.both(made)
        if op == NOT:
            return self.without(self.after(term.args[0], c))  # type: ignore[arg-type]
        if op == STAR:
            a = term.args[0]  # type: ignore[assignment]
            return self.after(self.cat(a, term), c) if a.looks else self.cat(self.after(a, c), term)
        if op == LOOP:
            return self._after_loop(term, c)
        return self.none

    def _after_loop(self, term: Term, c: int) -> Term:
        body: Term = term.args[0]  # type: ignore[assignment]
        low: int = term.args[1]  # type: ignore[assignment]
        high: int | None = term.args[2]  # type: ignore[assignment]
        less = self.repeat(body, max(low - 1, 0), None if high is None else high - 1)
        return self.cat(self.after(body, c), less)

    # ---- questions

    def takes(self, term: Term, text: str) -> bool:
        """Whether a string is in the set."""
        for c in text:
            term = self.after(term, ord(c))
            if term is self.none:
                return False
            if term is self.every:
                return True
        return term.nullable

    def shortest(self, term: Term) -> str | None:
        """A shortest string of the set, or None where it is empty. Raises GivesUp when it takes too long."""
        return next(self._words(term), None)

    def words(self, term: Term, count: int) -> list[str]:
        """Up to `count` strings of the set; fewer only where there are no more."""
        found: list[str] = []
        while len(found) < count:
            one = self.shortest(term)
            if one is None:
                break
            found.append(one)
            term = self.both((term, self.without(self.word(one))))
        return found

    def _words(self, term: Term) -> Iterator[str]:
        if term.nullable:
            yield ""
            return
        alphabet = self._alphabet(term)
        seen = {term.number}
        queue: deque[tuple[Term, tuple[object, ...]]] = deque([(term, ())])
        while queue:
            state, path = queue.popleft()
            for c in alphabet:
                after = self.after(state, c)
                if after is self.none or after.number in seen:
                    continue
                here = (path, c)
                if after.nullable:
                    yield _spell(here)
                    return
                seen.add(after.number)
                queue.append((after, here))

    def _alphabet(self, term: Term) -> list[int]:
        """One character for each class that no set in the term tells apart, friendly ones first."""
        sets = sorted(self._ranges(term))
        edges = sorted({0, *(low for s in sets for low, _ in s), *(high + 1 for s in sets for _, high in s)})
        self._budget.take(len(edges))
        classes: dict[tuple[bool, ...], int] = {}
        nice = {ord(c): i for i, c in enumerate(_NICE)}
        starts = [*(ord(c) for c in _NICE), *range(33, 127), *(e for e in edges if e <= regex.TOP)]
        for code in starts:
            key = tuple(any(low <= code <= high for low, high in s) for s in sets)
            if key not in classes and not 0xD800 <= code <= 0xDFFF:
                classes[key] = code
        return sorted(classes.values(), key=lambda c: (nice.get(c, 1000), c))

    def _ranges(self, term: Term) -> frozenset[Ranges]:
        if term.ranges is not None:
            return term.ranges
        found: set[Ranges] = set()
        stack, seen = [term], {term.number}
        while stack:
            one = stack.pop()
            if one.op == SET:
                found.add(one.args[0])  # type: ignore[arg-type]
            for arg in one.args:
                if isinstance(arg, Term) and arg.number not in seen:
                    seen.add(arg.number)
                    stack.append(arg)
        term.ranges = frozenset(found)
        return term.ranges


def _spell(path: tuple[object, ...]) -> str:
    letters: list[str] = []
    while path:
        letters.append(chr(path[1]))  # type: ignore[arg-type]
        path = path[0]  # type: ignore[assignment]
    return "".join(reversed(letters))
