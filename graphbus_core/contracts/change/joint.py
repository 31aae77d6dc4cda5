"""Two versions walked together: every place where they differ, each difference by itself.

Through references, `allOf`, the branches of unions, items, dict values, pattern properties. A pair of schemas is walked
once, however many ways lead there, so a definition that half of a document uses is told once. Bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.change.matching import matched, tags
from graphbus_core.contracts.change.pair import Pair
from graphbus_core.contracts.change.view import ANNOTATIONS, UNIONS, View
from graphbus_core.contracts.reading.walk import Place, same

# A recursive schema is walked once for each pair, so depth counts nesting that people wrote.
MAX_DEPTH = 60
# Beyond five thousand lines nobody reads on, and `cut` says that there were more.
MAX_DIFFERENCES = 5_000

Step = tuple[Any, ...]  # ("prop", name) | ("item",) | ("at", index) | ("value", names, patterns) | ("pattern", text)


@dataclass(frozen=True, slots=True)
class Difference:
    """One aspect in which two schemas of one value differ.

    `kind` is added | removed | required | optional | retyped | branch | annotation. `steps` lead from the whole value
    to this one, `path` says them. `aspect` is what `View.like` takes over.
    """

    kind: str
    path: str
    steps: tuple[Step, ...]
    old: View
    new: View
    aspect: tuple[str, Any]
    before: Place
    after: Place
    name: str = ""  # the field, branch or keyword


class Walk:
    """One walk. `cut` says that it ended before everything was seen."""

    def __init__(self, pair: Pair) -> None:
        self.pair, self.cut = pair, False
        # By identity and in pairs: the same definition may stand against two others, and is two comparisons then.
        self._seen: set[tuple[int, int]] = set()
        self._kept: list[Any] = []  # made here; their ids stay their own
        self._found = 0

    def run(self) -> Iterator[Difference]:
        """All differences, outermost first."""
        yield from self._pair(self.pair.old, self.pair.new, "", (), 0)

    def _pair(self, a: Any, b: Any, path: str, steps: tuple[Step, ...], depth: int) -> Iterator[Difference]:
        a, b = self.pair.resolve(a), self.pair.resolve(b)
        key = (id(a), id(b))
        if a is b or key in self._seen:
            return
        if depth > MAX_DEPTH or self._found > MAX_DIFFERENCES:
            self.cut = True
            return
        self._seen.add(key)
        self._kept.append((a, b))
        if not isinstance(a, dict) or not isinstance(b, dict):
            # `true` and `false` are schemas as well; as objects they go the one road.
            a, b = _as_dict(a), _as_dict(b)
            self._kept.append((a, b))
        old, new = View(a, self.pair), View(b, self.pair)
        for one in self._of_value(old, new, path, steps, depth):
            self._found += one.old is old
            yield one

    def _of_value(self, old: View, new: View, path: str, steps: tuple[Step, ...], depth: int) -> Iterator[Difference]:
        def differs(kind: str, aspect: tuple[str, Any], before: Place, after: Place, name: str = "") -> Difference:
            here = path if kind in ("retyped", "branch", "annotation") else _join(path, name)
            return Difference(kind, here, steps, old, new, aspect, before, after, name)

        yield from _annotations(old, new, differs)
        if not old.kinds & new.kinds and (old.kinds or new.kinds):
            # No value is of both: what the keywords say of each has nothing to be compared with. It is one difference.
            keys = tuple(dict.fromkeys([*old.said(), *new.said(), "properties", "required", "patternProperties"]))
            yield differs("retyped", ("keys", keys), old.place, new.place, "type")
            return
        inner: list[tuple[Any, Any, str, tuple[Step, ...]]] = []
        changed: list[str] = []
        for key in dict.fromkeys([*old.said(), *new.said()]):
            # Descended into, it tells itself what changed; told here as well it would be one change in two lines.
            if not self._descends(key, old, new, path, steps, inner) and not _alike(old, new, key):
                changed.append(key)
        for key in [k for k in changed if k in UNIONS]:
            told = yield from self._union(key, old, new, path, steps, differs, depth)
            if told:
                changed.remove(key)
        if changed:
            # All in one: `minimum` and `maximum` that move together are one change to whoever made it.
            yield differs("retyped", ("keys", tuple(changed)), *_places(old, new, changed[0]), changed[0])
        yield from self._fields(old, new, differs, path, steps, inner)
        for a, b, at, way in inner:
            yield from self._pair(a, b, at, way, depth + 1)

    def _fields(
        self, old: View, new: View, differs: Any, path: str, steps: tuple[Step, ...], inner: list[Any]
    ) -> Iterator[Difference]:
        """What became of the fields, and of what must be there."""
        for name in dict.fromkeys([*old.fields, *new.fields]):
            was, now = old.fields.get(name), new.fields.get(name)
            # A field that came or went carries its being required with it: that is one change to whoever made it.
            if was is None and now is not None:
                yield differs("added", ("field", name), old.place, now[0][1], name)
            elif now is None and was is not None:
                yield differs("removed", ("field", name), was[0][1], new.place, name)
            elif was is not None and now is not None:
                inner.append((self._one(old, was), self._one(new, now), _join(path, name), (*steps, ("prop", name))))
        for name in dict.fromkeys([*old.required, *new.required]):
            # A name that is required and never described: its field says nothing, and that it must be there says
            # enough.
            told = (name in old.fields) != (name in new.fields)  # with the field that came or went
            if (name in old.required) == (name in new.required) or told:
                continue
            kind = "required" if name in new.required else "optional"
            places = (old.required.get(name, old.place), new.required.get(name, new.place))
            yield differs(kind, ("required", name), *places, name)
        for pattern in dict.fromkeys([*old.patterns, *new.patterns]):
            was, now = old.patterns.get(pattern), new.patterns.get(pattern)
            if was is not None and now is not None:
                at, step = _join(path, f"/{pattern}/"), ("pattern", pattern)
                inner.append((self._one(old, was), self._one(new, now), at, (*steps, step)))
            else:
                places = (was[0][1] if was else old.place, now[0][1] if now else new.place)
                kind = "removed" if was else "added"
                yield differs(kind, ("pattern", pattern), *places, f"/{pattern}/")

    def _one(self, view: View, parts: list[Any]) -> Any:
        made = view.one(parts)
        self._kept.append(made)
        return made

    def _descends(self, key: str, old: View, new: View, path: str, steps: tuple[Step, ...], inner: list[Any]) -> bool:
        """Whether a keyword holds one schema on both sides, which are then walked themselves."""
        was, now = old.own(key), new.own(key)
        if len(was) != 1 or len(now) != 1:
            return False
        a, b = was[0][0], now[0][0]
        if key in ("items", "additionalProperties") and isinstance(a, dict) and isinstance(b, dict):
            # Which names are "the other ones" is part of the step, because a proof has to build such a name.
            names = frozenset({*old.fields, *new.fields})
            step: Step = ("item",) if key == "items" else ("value", names, (*old.patterns, *new.patterns))
            inner.append((a, b, f"{path}[]" if key == "items" else _join(path, "*"), (*steps, step)))
            return True
        if key == "prefixItems" and isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            rows = enumerate(zip(a, b, strict=True))
            inner.extend((x, y, f"{path}[{i}]", (*steps, ("at", i))) for i, (x, y) in rows)
            return True
        return False

    def _union(
        self, key: str, old: View, new: View, path: str, steps: tuple[Step, ...], differs: Any, depth: int
    ) -> Any:
        """The branches of a union that differs; False where only the whole can be told."""
        was, now = old.own(key), new.own(key)
        # Two layers that both have a union mean their product, and branch against branch would compare the wrong
        # things.
        if len(was) != 1 or len(now) != 1 or not isinstance(was[0][0], list) or not isinstance(now[0][0], list):
            return False
        (before, at_before), (after, at_after) = was[0], now[0]
        pairs, gone, come = matched(before, after, self.pair)
        named = {**tags(before, self.pair)}
        for i in gone:
            yield differs("branch", ("branch", (key, before[i])), (*at_before, i), at_after, f"-{i}")
        for j in come:
            yield differs("branch", ("branch", (key, after[j])), at_before, (*at_after, j), f"+{j}")
        for i, j in pairs:
            here = f"{path}<{named[i]}>" if i in named else f"{path}<{i}>" if len(before) > 1 else path
            yield from self._pair(before[i], after[j], here, steps, depth + 1)
        return True


def _annotations(old: View, new: View, differs: Any) -> Iterator[Difference]:
    """What is said to people and changes no value; each by itself, so that none hides a change that breaks."""
    for key in ANNOTATIONS:
        was, now = old.own(key)[:1], new.own(key)[:1]
        if [w for w, _ in was] != [n for n, _ in now] or (was and not same(was[0][0], now[0][0])):
            yield differs("annotation", ("keys", (key,)), *_places(old, new, key), key)


def _places(old: View, new: View, key: str) -> tuple[Place, Place]:
    """Where a keyword stands on each side; the schema itself where it does not stand there."""
    before, after = old.own(key)[:1], new.own(key)[:1]
    return before[0][1] if before else old.place, after[0][1] if after else new.place


def _alike(old: View, new: View, key: str) -> bool:
    was, now = [v for v, _ in old.own(key)], [v for v, _ in new.own(key)]
    if key not in ("type", "enum", "required"):
        # Order means something in a list of schemas and nothing in a list of types or names.
        return same(was, now)
    return same([_sorted(v) for v in was], [_sorted(v) for v in now])


def _sorted(values: Any) -> Any:
    return sorted(values, key=lambda v: (type(v).__name__, repr(v))) if isinstance(values, list) else values


def _as_dict(schema: Any) -> dict[str, Any]:
    if isinstance(schema, dict):
        return schema
    return {} if schema is True else {"not": {}}


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
