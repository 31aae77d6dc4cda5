"""Strings: lengths, patterns as languages, exclusions, and formats by trying texts that have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from graphbus_core.contracts.inclusion.formulas.logic import Atom
from graphbus_core.contracts.inclusion.patterns.language import Arena, Term
from graphbus_core.contracts.inclusion.patterns.spelled import compiled
from graphbus_core.contracts.values import formats
from graphbus_core.contracts.values.budget import GivesUp

MAX_PLAIN = 1_000_000  # characters of a text that is made only for its length


class Strings:
    """What is known of one string. Grown by `extend`, never changed."""

    __slots__ = ("allowed", "arena", "excluded", "formats", "high", "low", "patterns", "terms", "unread")

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.low = 0
        self.high: int | None = None
        self.patterns: dict[str, bool] = {}
        self.terms: tuple[Term, ...] = ()
        self.unread: tuple[tuple[str, bool], ...] = ()
        self.formats: tuple[tuple[str, bool], ...] = ()
        self.allowed: frozenset[str] | None = None
        self.excluded: frozenset[str] = frozenset()

    def extend(self, atoms: list[Atom]) -> Strings | None:
        """With more atoms; None where that is plainly impossible."""
        made = Strings(self.arena)
        for name in self.__slots__:
            setattr(made, name, getattr(self, name))
        for op, arg in atoms:
            if op == "minlen":
                made.low = max(made.low, arg)
            elif op == "maxlen":
                made.high = arg if made.high is None else min(made.high, arg)
            elif op in ("pat", "npat"):
                if made.patterns.get(arg, op == "pat") is not (op == "pat"):
                    return None
                if arg not in made.patterns:  # a pattern that is there already costs an automaton each time
                    made.patterns = {**made.patterns, arg: op == "pat"}
                    made._pattern(arg, op == "pat")
            elif op in ("fmt", "nfmt"):
                made.formats = (*made.formats, (arg, op == "fmt"))
                if made._formats_clash():
                    return None
            elif op == "in":
                made.allowed = arg if made.allowed is None else made.allowed & arg
                if not made.allowed:
                    return None
            else:
                made.excluded |= arg
        return None if made.high is not None and made.high < made.low else made

    def _formats_clash(self) -> bool:
        held = [f for f, wanted in self.formats if wanted]
        return any(formats.within(f, g) for f in held for g, wanted in self.formats if not wanted)

    def _pattern(self, pattern: str, wanted: bool) -> None:
        try:
            term = self.arena.pattern(pattern)
        except GivesUp as e:
            if e.kind != "pattern":
                raise
            self.unread = (*self.unread, (pattern, wanted))
        else:
            self.terms = (*self.terms, term if wanted else self.arena.without(term))

    def fits(self, text: str) -> bool:
        """Whether a text is one of them."""
        if len(text) < self.low or (self.high is not None and len(text) > self.high) or text in self.excluded:
            return False
        if self.allowed is not None and text not in self.allowed:
            return False
        if not all(formats.fits(f, text) is wanted for f, wanted in self.formats):
            return False
        if not all(self.arena.takes(t, text) for t in self.terms):
            return False
        return all(matches(p, text) is wanted for p, wanted in self.unread)

    def solve(self) -> tuple[Any] | None:
        """A string, or None: the proof that there is none. Raises GivesUp."""
        if self.allowed is not None:
            found = next((t for t in sorted(self.allowed, key=lambda t: (len(t), t)) if self.fits(t)), None)
            return None if found is None else (found,)
        plain = next((t for t in self._plain() if self.fits(t)), None)
        if plain is not None:
            return (plain,)
        if self.high == 0 and not self.terms:  # "" was tried, and there is no other
            return None
        if not self.terms and not self.formats and not self.unread:
            raise GivesUp("undecided", f"a text of {self.low} characters is too long to be made here")
        term = self._term()
        if not self.formats and not self.unread:
            word = self.arena.shortest(term)
            return None if word is None else (word,)
        for word in self.arena.words(term, 6):
            if self.fits(word):
                return (word,)
        if self.arena.shortest(term) is None:
            return None
        what = "format" if self.formats else "pattern"
        raise GivesUp("pattern", f"no text was found for a {what} that cannot be reasoned about")

    def _term(self) -> Term:
        arena = self.arena
        parts = list(self.terms)
        if self.low or self.high is not None:
            parts.append(arena.length(self.low, self.high))
        if self.excluded:
            parts.append(arena.without(arena.either(arena.word(w) for w in sorted(self.excluded))))
        return arena.both(parts)

    def _plain(self) -> Iterator[str]:
        """Texts to try before languages are searched."""
        if self.formats or self.unread:
            yield from formats.SAMPLES
        if self.terms:
            return
        if self.low > MAX_PLAIN:
            return
        yield "a" * self.low
        length = max(self.low, 1)
        if self.high is None or self.high >= length:
            yield "a" * length
            tail = min(length, 3)
            letters = "abcdefghijklmnopqrstuvwxyz0123456789"
            words = ("a" * (length - tail) + "".join(w) for w in product(letters, repeat=tail))
            yield from islice(words, len(self.excluded) + 1)
            if len(self.excluded) >= len(letters) ** tail:
                yield from (chr(c) * length for c in range(0x4E00, 0x4E01 + len(self.excluded)))


def matches(pattern: str, text: str) -> bool:
    """Whether Python finds a pattern that we cannot read ourselves. Raises GivesUp where it cannot either."""
    try:
        return compiled(pattern).search(text) is not None
    except (re.error, RecursionError):
        raise GivesUp("pattern", f"the pattern {pattern[:80]!r} cannot be read") from None
