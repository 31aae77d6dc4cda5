"""All readings of a sentence by a grammar: every parse, from the left, each place looked at once.

A rule is `name -> parts => action`: a name in capitals is a kind of word, a name in angle brackets another rule, and
`?` behind a part makes it optional. A rule must not begin with itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Value = Any
Actions = Mapping[str, Callable[..., Value]]


@dataclass(frozen=True)
class Production:
    """One way to say a rule. `action`: what it means, made of what the named parts mean."""

    parts: tuple[tuple[str, bool], ...]
    action: str


Grammar = Mapping[str, tuple[Production, ...]]


def parse_grammar(text: str) -> Grammar:
    """The rules that the text writes down."""
    rules: dict[str, list[Production]] = {}
    name = ""
    for line in text.strip().splitlines():
        line = line.split(" #")[0].rstrip()
        if not line.strip():
            continue
        head, arrow, body = line.partition("->")
        name = head.strip() if arrow else name
        for alternative in (body if arrow else line).split("|"):
            words, _, action = alternative.partition("=>")
            parts = tuple((w.removesuffix("?"), w.endswith("?") and len(w) > 1) for w in words.split())
            if parts:
                rules.setdefault(name, []).append(Production(parts, action.strip()))
    return {name: tuple(ways) for name, ways in rules.items()}


class Chart:
    """One sentence under a grammar. `kinds`: what begins at each place, with its end and what it means.

    What is of the kind EMPTY may stand anywhere, and says nothing.
    """

    def __init__(
        self,
        grammar: Grammar,
        actions: Actions,
        kinds: Sequence[Mapping[str, Sequence[tuple[int, Value]]]],
    ) -> None:
        self.grammar, self.actions, self.kinds = grammar, actions, kinds
        self.known: dict[tuple[str, int], frozenset[tuple[int, Value]]] = {}
        self.furthest = 0

    def read_whole(self, name: str) -> set[Value]:
        """What the rule means where it covers all words."""
        return {value for end, value in self._read(name, 0) if len(self.kinds) in self._skip(end)}

    def _skip(self, start: int) -> list[int]:
        """Where one is after some of the empty words that stand here, none among them."""
        ends = [start]
        if start < len(self.kinds):
            for end, _ in self.kinds[start].get("EMPTY", ()):
                ends += self._skip(end)
        return ends

    def _read(self, name: str, start: int) -> frozenset[tuple[int, Value]]:
        key = name, start
        if key not in self.known:
            self.known[key] = frozenset()  # a rule that begins with itself ends here
            found: set[tuple[int, Value]] = set()
            for way in self.grammar[name]:
                for end, values in self._read_parts(way.parts, start):
                    value = self.actions[way.action](*values) if way.action else values[0] if values else None
                    if value is not None or not values:
                        found.add((end, value))
            self.known[key] = frozenset(found)
        return self.known[key]

    def _read_parts(self, parts: Sequence[tuple[str, bool]], start: int) -> list[tuple[int, tuple[Value, ...]]]:
        if not parts:
            return [(start, ())]
        (part, optional), rest = parts[0], parts[1:]
        out = self._read_parts(rest, start) if optional else []
        for end, value in self._match(part, start):
            own = () if value is None else (value,)
            out += [(last, own + more) for last, more in self._read_parts(rest, end)]
        return out

    def _match(self, part: str, start: int) -> list[tuple[int, Value]]:
        self.furthest = max(self.furthest, *self._skip(start))
        if part.startswith("<") and len(part) > 2 and part[1].isalpha():
            return list(self._read(part[1:-1], start))
        return [
            found for begin in self._skip(start) if begin < len(self.kinds) for found in self.kinds[begin].get(part, ())
        ]
