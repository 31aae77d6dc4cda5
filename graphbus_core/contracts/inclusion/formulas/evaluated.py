"""Which properties or items a schema has evaluated: what `unevaluatedProperties` and `unevaluatedItems` look at."""

from __future__ import annotations


class Evaluated:
    """Which properties or items have been evaluated."""

    __slots__ = ("contained", "every", "names", "patterns", "prefix")

    def __init__(
        self,
        every: bool = False,
        names: frozenset[str] = frozenset(),
        patterns: frozenset[str] = frozenset(),
        prefix: int = 0,
        contained: frozenset[int] = frozenset(),
    ) -> None:
        self.every, self.names, self.patterns, self.prefix, self.contained = every, names, patterns, prefix, contained

    def union(self, other: Evaluated) -> Evaluated:
        """Evaluated by one or the other."""
        return Evaluated(
            self.every or other.every,
            self.names | other.names,
            self.patterns | other.patterns,
            max(self.prefix, other.prefix),
            self.contained | other.contained,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Evaluated) and all(getattr(self, n) == getattr(other, n) for n in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.every, self.names, self.patterns, self.prefix, self.contained))


NOTHING_SEEN = Evaluated()
