"""What the calls of each file show: flows between components, components that call one another, and what is unsure.

File by file, because that is how a project is edited: what a file showed holds until it, or a file that it was
understood by, changes. `kept` says of which files that is so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from graphbus_core.build.understand.callers import MAX_SITES, Callers, Site, word_of
from graphbus_core.build.understand.ends import End, Flow, Showing, Unsure
from graphbus_core.build.understand.flows import MAX_INLINED, Components, Flows
from graphbus_core.build.understand.index import Code, Thing
from graphbus_core.build.understand.text.files import Texts

MAX_HELPERS = 3  # functions between a component's method and a call that it makes by them


class Showings:
    """Asks file after file. `words` are the names of the components' methods."""

    def __init__(
        self, texts: Texts, callers: Callers, flows: Flows, component: Components, words: frozenset[str]
    ) -> None:
        self.texts, self._callers, self._flows, self._component = texts, callers, flows, component
        self._words = words

    def of(self, path: str) -> Showing:
        """What the calls of one file show."""
        flows: dict[Flow, None] = {}
        own: dict[tuple[End, End, str], None] = {}
        unsure: dict[Unsure, None] = {}
        handing: dict[str, tuple[Code, End]] = {}
        for site in sorted(self._sites(path), key=lambda s: s.number):
            reached = self._flows.reached(site)
            inside = self._inside(site.path, site.call.inside)
            for end, function, shift in reached:
                flows.update(dict.fromkeys(self._flows.into(site, end, function, shift)))
                if self._flows.is_cut_short:
                    unsure[Unsure(site.place, _word(site), f"its values take more than {MAX_INLINED} ways here")] = None
                for _, outer in self._within(site.path, site.call.inside):
                    if outer != end:
                        own[end, outer, site.place] = None
            if reached and inside is not None:
                handing[inside[0].name] = inside
            if not reached:
                for why in self._callers.targets(site)[1][:1]:
                    unsure[Unsure(site.place, _word(site), why)] = None
        through = [flow for _, (code, end) in sorted(handing.items()) for flow in self._flows.out_of(code, end)]
        return Showing(tuple(flows), tuple(dict.fromkeys(through)), tuple(own), tuple(unsure))

    def _sites(self, path: str) -> Iterator[Site]:
        indexed = self._callers.in_file(path)
        seen: set[int] = set()
        for word in self._words & indexed.keys():
            for site in indexed[word]:
                if site.number not in seen:
                    seen.add(site.number)
                    yield site

    def _within(self, path: str, name: str, steps: int = 0) -> tuple[tuple[Code, End], ...]:
        """The components' methods whose own code runs a function: in their body, or by helpers that they call."""
        inside = self._inside(path, name)
        if inside is not None or not name or steps >= MAX_HELPERS:
            return (inside,) if inside is not None else ()
        found: dict[tuple[Code, End], None] = {}
        for site, _ in islice(self._callers.of(path, name), MAX_SITES):
            found.update(dict.fromkeys(self._within(site.path, site.call.inside, steps + 1)))
        return tuple(found)

    def _inside(self, path: str, name: str) -> tuple[Code, End] | None:
        """The component's method that a function is."""
        function = self.texts[path].functions.get(name)
        if function is None:
            return None
        on = Thing(path, function.cls) if function.cls else None
        code = Code(path, name, on)
        named = self._component(code)
        return (code, End(*named)) if named is not None else None


def _word(site: Site) -> str:
    return next((w for w in map(word_of, site.call.function) if w), "")
