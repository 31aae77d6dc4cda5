"""Sets of strings as terms with derivatives (Brzozowski): intersection and complement cost nothing, a term is a state.

The derivative of a term by a character is the term of what may follow. A language is empty where no reachable term
takes the empty string; the path to the nearest that does is a shortest word. Characters are taken one for each class
that no set in the terms tells apart. Terms are interned in an Arena, so that equal ones are the same object.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from graphbus_core.contracts.inclusion import regex
from graphbus_core.contracts.inclusion.regex import ALL, Node, Ranges
from graphbus_core.contracts.verdict import Budget, Inconclusive

# Where the parts of a pattern stand: `^` is settled before a pattern becomes a language.


def contains_kind(node: Node, kind: str) -> bool:
    if node[0] == kind:
        return True
    if node[0] in ("cat", "alt"):
        return any(contains_kind(n, kind) for n in node[1])
    return node[0] in ("rep", "look") and contains_kind(node[1], kind)


def may_be_empty(node: Node) -> bool:
    kind = node[0]
    if kind == "cat":
        return all(may_be_empty(n) for n in node[1])
    if kind == "alt":
        return any(may_be_empty(n) for n in node[1])
    if kind == "rep":
        return node[2] == 0 or may_be_empty(node[1])
    return kind in ("look", "start")


def settle_anchors(node: Node, start: bool) -> Node:
    """The node where it is known to stand at the start of the string, or known not to: `^` is then settled."""
    kind = node[0]
    if kind == "start":
        return regex.EMPTY if start else ("never",)
    if not contains_kind(node, "start"):
        return node
    if kind == "alt":
        return ("alt", [settle_anchors(n, start) for n in node[1]])
    if kind == "look":
        return ("look", settle_anchors(node[1], start), node[2])
    if kind == "rep":
        if node[2] <= 1 and node[3] == 1:
            return ("rep", settle_anchors(node[1], start), node[2], 1)
        raise Inconclusive("pattern", "a ^ is repeated in a pattern")
    parts: list[Node] = []
    for i, part in enumerate(node[1]):
        parts.append(settle_anchors(part, start))
        follows = ("cat", node[1][i + 1 :])
        if start and contains_kind(follows, "start") and not is_zero_width(part):
            if may_be_empty(part):
                raise Inconclusive("pattern", "a ^ may stand after something or not in a pattern")
            start = False
    return ("cat", parts)


def is_zero_width(node: Node) -> bool:
    if node[0] in ("cat", "alt"):
        return all(is_zero_width(n) for n in node[1])
    return node[0] in ("look", "start") or (node[0] == "rep" and is_zero_width(node[1]))


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


class TermArena:
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
        interned = self._terms.get(key)
        if interned is None:
            self._budget.spend()
            interned = self._terms[key] = Term(op, args, nullable, looks, len(self._terms))
        return interned

    # ---- building

    def make_chars(self, ranges: Ranges) -> Term:
        return self._make(SET, (ranges,), False) if ranges else self.none

    def make_word(self, text: str) -> Term:
        term = self.eps
        for c in reversed(text):
            term = self.join(self.make_chars(((ord(c), ord(c)),)), term)
        return term

    def join(self, a: Term, b: Term) -> Term:
        if a is self.none or b is self.none:
            return self.none
        if a is self.eps:
            return b
        if a.looks:
            if a.op == LOOK:
                return self.intersect((a.args[0], b))  # type: ignore[arg-type]
            if a.op == ALT:
                return self.union(self.join(x, b) for x in a.args)  # type: ignore[arg-type]
        if b is self.eps and not a.looks:
            return a
        if a.op == CAT:
            return self.join(a.args[0], self.join(a.args[1], b))  # type: ignore[arg-type]
        if a is self.every and (b is self.every or (b.op == CAT and b.args[0] is self.every)):
            return b
        return self._make(CAT, (a, b), a.nullable and b.nullable, a.looks or b.looks)

    def union(self, terms: Iterable[Term]) -> Term:
        flat: dict[int, Term] = {}
        ranges: list[tuple[int, int]] = []
        for term in terms:
            for part in term.args if term.op == ALT else (term,):
                assert isinstance(part, Term)
                if part is self.every:
                    return part
                if part.op == SET:
                    ranges.extend(part.args[0])  # type: ignore[arg-type]
                elif part is not self.none:
                    flat[part.number] = part
        if ranges:
            merged = self.make_chars(regex.merge(ranges))
            flat[merged.number] = merged
        for part in flat.values():
            if part.op == NOT and part.args[0].number in flat:  # type: ignore[attr-defined]
                return self.every
        if len(flat) <= 1:
            return next(iter(flat.values()), self.none)
        parts = tuple(flat[k] for k in sorted(flat))
        return self._make(ALT, parts, any(p.nullable for p in parts), any(p.looks for p in parts))

    def intersect(self, terms: Iterable[Term]) -> Term:
        flat: dict[int, Term] = {}
        for term in terms:
            for part in term.args if term.op == AND else (term,):
                assert isinstance(part, Term)
                if part is self.none:
                    return part
                if part is not self.every:
                    flat[part.number] = part
        if self.eps.number in flat:
            return self.eps if all(t.nullable for t in flat.values()) else self.none
        if not self._meet_sets(flat):
            return self.none
        # A set and its complement: seen here, or each of their characters would be walked to find the same.
        for part in flat.values():
            if part.op == NOT and part.args[0].number in flat:  # type: ignore[attr-defined]
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
        for character_set in sets:
            ranges = regex.intersect(ranges, character_set.args[0])  # type: ignore[arg-type]
            del flat[character_set.number]
        merged = self.make_chars(ranges)
        flat[merged.number] = merged
        return merged is not self.none

    def negate(self, term: Term) -> Term:
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

    def match_length(self, low: int, high: int | None) -> Term:
        """All strings of so many characters."""
        return self.repeat(self.any, low, high)

    # ---- from patterns

    def compile_pattern(self, text: str) -> Term:
        """The strings in which a pattern is found somewhere (as JSON Schema means it). Raises Inconclusive."""
        if text not in self._patterns:
            self._patterns[text] = self._build_search(regex.parse_pattern(text))
        return self._patterns[text]

    def _build_search(self, tree: Node) -> Term:
        # A pattern is searched for, not matched: `^` is the exception, and makes the rest of the text count.
        if not contains_kind(tree, "start"):
            return self.join(self.every, self._build(tree, self.every))
        at_start = self._build(settle_anchors(tree, True), self.every)
        later = self._build(settle_anchors(tree, False), self.every)
        return self.union((at_start, self.join(self.any, self.join(self.every, later))))

    def _build(self, node: Node, rest: Term) -> Term:
        """The strings that start with the node and go on with `rest`."""
        kind = node[0]
        if kind == "set":
            return self.join(self.make_chars(node[1]), rest)
        if kind == "cat":
            for part in reversed(node[1]):
                rest = self._build(part, rest)
            return rest
        if kind == "alt":
            return self.union(self._build(part, rest) for part in node[1])
        if kind == "look":
            ahead = self._build(node[1], self.every)
            return self.intersect((self.negate(ahead) if node[2] else ahead, rest))
        if kind == "never":
            return self.none
        _, inner, low, high = node
        if not contains_kind(inner, "look"):
            return self.join(self.repeat(self._build(inner, self.eps), low, high), rest)
        if may_be_empty(inner):
            return self._build_empty_looks(inner, low, high, rest)
        if low + (high or low) > MAX_UNROLL:
            raise Inconclusive("pattern", "a lookahead is repeated too often in a pattern")
        if high is None:
            rest = self.join(self._make(STAR, (self._build_bare(inner),), True, True), rest)
        else:
            whole = rest
            for _ in range(high - low):
                rest = self.union((whole, self._build(inner, rest)))
        for _ in range(low):
            rest = self._build(inner, rest)
        return rest

    def _build_empty_looks(self, inner: Node, low: int, high: int | None, rest: Term) -> Term:
        if low == 0 and high == 1:
            return self.union((rest, self._build(inner, rest)))
        if low == high == 1:
            return self._build(inner, rest)
        raise Inconclusive("pattern", "a lookahead that may be empty is repeated in a pattern")

    def _build_bare(self, node: Node) -> Term:
        """A term in which looks stand bare, for the body of a star: `join` resolves them when more follows."""
        kind = node[0]
        if kind == "set":
            return self.make_chars(node[1])
        if kind == "cat":
            joined = self.eps
            for part in reversed(node[1]):
                bare_part = self._build_bare(part)
                joined = bare_part if joined is self.eps else self._join_bare(bare_part, joined)
            return joined
        if kind == "alt":
            parts = [self._build_bare(p) for p in node[1]]
            if not any(p.looks for p in parts):
                return self.union(parts)
            return self._make(ALT, tuple(parts), any(p.nullable for p in parts), True)
        if kind == "look":
            ahead = self._build(node[1], self.every)
            return self._make(LOOK, (self.negate(ahead) if node[2] else ahead,), True, True)
        if kind == "never":
            return self.none
        if contains_kind(node[1], "look"):
            raise Inconclusive("pattern", "lookaheads are nested in repetitions in a pattern")
        return self.repeat(self._build_bare(node[1]), node[2], node[3])

    def _join_bare(self, a: Term, b: Term) -> Term:
        if not a.looks:
            return self.join(a, b)
        if a.op == CAT:
            return self._join_bare(a.args[0], self._join_bare(a.args[1], b))  # type: ignore[arg-type]
        return self._make(CAT, (a, b), a.nullable and b.nullable, True)

    # ---- derivatives

    def derive(self, term: Term, c: int) -> Term:
        """What may follow when `c` was read."""
        derivative = term.next.get(c)
        if derivative is None:
            self._budget.spend()
            derivative = term.next[c] = self._compute_derivative(term, c)
        return derivative

    def _compute_derivative(self, term: Term, c: int) -> Term:
        op = term.op
        if op == SET:
            return self.eps if any(low <= c <= high for low, high in term.args[0]) else self.none  # type: ignore[attr-defined]
        if op == CAT:
            a: Term = term.args[0]  # type: ignore[assignment]
            b: Term = term.args[1]  # type: ignore[assignment]
            if a.looks and a.op == STAR:  # its body must meet what follows before a look in it means anything
                more = self.derive(self.join(a.args[0], term), c)  # type: ignore[arg-type]
                return self.union((more, self.derive(b, c)))
            if a.looks:
                return self.derive(self.join(a, b), c)
            head = self.join(self.derive(a, c), b)
            return self.union((head, self.derive(b, c))) if a.nullable else head
        if op == ALT:
            return self.union([self.derive(a, c) for a in term.args])  # type: ignore[arg-type]
        if op == AND:
            derivatives = []
            for part in term.args:
                derivative = self.derive(part, c)  # type: ignore[arg-type]
                if derivative is self.none:
                    return derivative
                derivatives.append(derivative)
            return self.intersect(derivatives)
        if op == NOT:
            return self.negate(self.derive(term.args[0], c))  # type: ignore[arg-type]
        if op == STAR:
            a = term.args[0]  # type: ignore[assignment]
            return self.derive(self.join(a, term), c) if a.looks else self.join(self.derive(a, c), term)
        if op == LOOP:
            return self._derive_loop(term, c)
        return self.none

    def _derive_loop(self, term: Term, c: int) -> Term:
        body: Term = term.args[0]  # type: ignore[assignment]
        low: int = term.args[1]  # type: ignore[assignment]
        high: int | None = term.args[2]  # type: ignore[assignment]
        less = self.repeat(body, max(low - 1, 0), None if high is None else high - 1)
        return self.join(self.derive(body, c), less)

    # ---- questions

    def contains(self, term: Term, text: str) -> bool:
        """Whether a string is in the set."""
        for c in text:
            term = self.derive(term, ord(c))
            if term is self.none:
                return False
            if term is self.every:
                return True
        return term.nullable

    def find_shortest(self, term: Term) -> str | None:
        """A shortest string of the set, or None where it is empty. Raises Inconclusive when it takes too long."""
        return next(self._search_words(term), None)

    def find_words(self, term: Term, count: int) -> list[str]:
        """Up to `count` strings of the set; fewer only where there are no more."""
        strings: list[str] = []
        while len(strings) < count:
            word = self.find_shortest(term)
            if word is None:
                break
            strings.append(word)
            term = self.intersect((term, self.negate(self.make_word(word))))
        return strings

    def _search_words(self, term: Term) -> Iterator[str]:
        if term.nullable:
            yield ""
            return
        alphabet = self._build_alphabet(term)
        visited = {term.number}
        queue: deque[tuple[Term, tuple[object, ...]]] = deque([(term, ())])
        while queue:
            state, path = queue.popleft()
            for c in alphabet:
                after = self.derive(state, c)
                if after is self.none or after.number in visited:
                    continue
                longer_path = (path, c)
                if after.nullable:
                    yield _read_word(longer_path)
                    return
                visited.add(after.number)
                queue.append((after, longer_path))

    def _build_alphabet(self, term: Term) -> list[int]:
        """One character for each class that no set in the term tells apart, friendly ones first."""
        sets = sorted(self._collect_ranges(term))
        edges = sorted({0, *(low for s in sets for low, _ in s), *(high + 1 for s in sets for _, high in s)})
        self._budget.spend(len(edges))
        classes: dict[tuple[bool, ...], int] = {}
        nice = {ord(c): i for i, c in enumerate(_NICE)}
        starts = [*(ord(c) for c in _NICE), *range(33, 127), *(e for e in edges if e <= regex.TOP)]
        for code in starts:
            key = tuple(any(low <= code <= high for low, high in s) for s in sets)
            if key not in classes and not 0xD800 <= code <= 0xDFFF:
                classes[key] = code
        return sorted(classes.values(), key=lambda c: (nice.get(c, 1000), c))

    def _collect_ranges(self, term: Term) -> frozenset[Ranges]:
        if term.ranges is not None:
            return term.ranges
        range_sets: set[Ranges] = set()
        stack, visited = [term], {term.number}
        while stack:
            visited_term = stack.pop()
            if visited_term.op == SET:
                range_sets.add(visited_term.args[0])  # type: ignore[arg-type]
            for arg in visited_term.args:
                if isinstance(arg, Term) and arg.number not in visited:
                    visited.add(arg.number)
                    stack.append(arg)
        term.ranges = frozenset(range_sets)
        return term.ranges


def _read_word(path: tuple[object, ...]) -> str:
    letters: list[str] = []
    while path:
        letters.append(chr(path[1]))  # type: ignore[arg-type]
        path = path[0]  # type: ignore[assignment]
    return "".join(reversed(letters))
