"""Who subscribed to what. A new topic is looked up in as many steps as it has segments and subscribers.

Topics stand in a dict, patterns in a tree of segments: ten thousand other subscriptions cost a first publish nothing.
"""

from __future__ import annotations

import itertools
from bisect import insort
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from graphbus_core.runtime.handling.subscriber import Subscriber
from graphbus_core.runtime.handling.topics import compiled, is_pattern

_number = attrgetter("number")


class _Branch:
    """The patterns that go on from here: by whole segment, by segment with a `*`, and over any number (`**`)."""

    __slots__ = ("any_number", "ends", "globs", "words")

    def __init__(self) -> None:
        self.words: dict[str, _Branch] = {}
        self.globs: dict[str, _Branch] = {}
        self.any_number: _Branch | None = None
        self.ends: list[Subscriber] = []

    def into(self, segment: str) -> _Branch:
        """The branch of a segment, made where it is new."""
        if segment == "**":
            self.any_number = self.any_number or _Branch()
            return self.any_number
        return (self.globs if "*" in segment else self.words).setdefault(segment, _Branch())

    def find(self, segments: list[str], at: int, found: dict[int, Subscriber]) -> None:
        """Put into `found` what hears a topic, of which the segments before `at` are matched."""
        if at == len(segments):
            found.update((s.number, s) for s in self.ends)
        else:
            if (word := self.words.get(segments[at])) is not None:
                word.find(segments, at + 1, found)
            for glob, branch in self.globs.items():
                if glob == "*" or compiled(glob).fullmatch(segments[at]):
                    branch.find(segments, at + 1, found)
        if self.any_number is not None:
            first = at + 1 if at == 0 else at  # before the first `/` there is always a segment, if an empty one
            for end in range(first, len(segments) + 1):
                if end > at and at and not segments[end - 1]:
                    break
                self.any_number.find(segments, end, found)


class Subscriptions:
    """Every subscription of a bus. Not locked: the bus is."""

    def __init__(self) -> None:
        self.exact: dict[str, list[Subscriber]] = {}
        self.patterns: dict[str, list[Subscriber]] = {}
        self._tree = _Branch()
        self._numbers = itertools.count(1)

    def next_number(self) -> int:
        """Of a subscription to come."""
        return next(self._numbers)

    def add(self, subscriber: Subscriber) -> None:
        """From now on it is found, in the order of its number: one that takes another's place has that one's."""
        topic = subscriber.topic
        if not is_pattern(topic):
            insort(self.exact.setdefault(topic, []), subscriber, key=_number)
            return
        insort(self.patterns.setdefault(topic, []), subscriber, key=_number)
        branch = self._tree
        for segment in topic.split("/"):
            branch = branch.into(segment)
        branch.ends.append(subscriber)

    def remove(self, which: Callable[[Subscriber], bool]) -> list[Subscriber]:
        """Take subscriptions out and give them back."""
        gone: list[Subscriber] = []
        for kind in (self.exact, self.patterns):
            for topic in list(kind):
                out = [s for s in kind[topic] if which(s)]
                if not out:
                    continue
                gone += out
                kept = [s for s in kind[topic] if s not in out]
                if kept:
                    kind[topic] = kept
                else:
                    del kind[topic]
        if any(is_pattern(s.topic) for s in gone):
            self._plant()
        return gone

    def _plant(self) -> None:
        self._tree = _Branch()
        for pattern, subscribers in self.patterns.items():
            branch = self._tree
            for segment in pattern.split("/"):
                branch = branch.into(segment)
            branch.ends = list(subscribers)

    def of(self, topic: str) -> tuple[Subscriber, ...]:
        """Who hears an event of `topic`, in the order of delivery: that of subscription."""
        exact = self.exact.get(topic, ())
        if not self.patterns:
            return tuple(exact)
        found = {s.number: s for s in exact}
        self._tree.find(topic.split("/"), 0, found)
        return tuple(found[number] for number in sorted(found))

    def by_topic(self) -> Iterator[tuple[str, list[Subscriber]]]:
        """Topics and patterns, with who subscribed to them."""
        yield from self.exact.items()
        yield from self.patterns.items()

    def named(self) -> dict[str, list[tuple[Callable[..., Any], str]]]:
        """Topic or pattern -> (handler, name), as seed 002 §5.3 keeps them."""
        return {topic: [(s.handler, s.name) for s in heard] for topic, heard in self.by_topic()}
