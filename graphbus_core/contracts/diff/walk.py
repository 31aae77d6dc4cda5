"""Two versions walked together: every place where they differ, each difference by itself.

Through references, `allOf`, the branches of unions, items, dict values, pattern properties. A pair of schemas is walked
once, however many ways lead there, so a definition that half of a document uses is told once. Bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.diff.versions import ANNOTATIONS, UNIONS, Part, SchemaView, VersionPair
from graphbus_core.contracts.parsing.json_schema import SILENT, Place, is_same_json
from graphbus_core.contracts.parsing.unions import read_tag_texts, unwrap_branch
from graphbus_core.contracts.validation.first_error import find_discriminator

# Which branch of the old union became which branch of the new one: by name, by discriminator, by likeness.


# Branches are held against each other in pairs, so the work grows with the square.
MAX_BRANCHES = 200  # of one union that are held against each other


def match_branches(
    old: list[Any], new: list[Any], pair: VersionPair
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Pairs of indexes, and those of the old and of the new union that have no partner."""
    before, after = [pair.resolve(o) for o in old], [pair.resolve(n) for n in new]
    unmatched_old, unmatched_new = list(range(len(before))), list(range(len(after)))
    pairs: list[tuple[int, int]] = []
    mine, theirs = map_tags(before, pair), map_tags(after, pair)

    def is_alike(a: Any, b: Any, i: int, j: int) -> bool:
        # Two discriminators that differ are two things, whatever else they share.
        are_told = (i in mine and j in theirs) or (read_tag_texts(old[i]) and read_tag_texts(new[j]))
        return not are_told and _is_similar(a, b)

    # From sure to likely: the same tag, the very same, the same name, the same reference, a likeness. A later rule only
    # sees what is left.
    for rule in (
        lambda a, b, i, j: _share_texts(read_tag_texts(old[i]), read_tag_texts(new[j])),
        _is_same_branch,
        lambda a, b, i, j: i in mine and mine[i] == theirs.get(j),
        _build_name_rule(old, new),
        is_alike,
    ):
        for i in list(unmatched_old):
            partner = next((j for j in unmatched_new if rule(before[i], after[j], i, j)), None)
            if partner is not None:
                pairs.append((i, partner))
                unmatched_old.remove(i)
                unmatched_new.remove(partner)
        if len(unmatched_old) * len(unmatched_new) > MAX_BRANCHES**2:
            break
    # Sorted by the old order, so that the lines come in the order in which people wrote the union.
    return sorted(pairs), unmatched_old, unmatched_new


def map_tags(options: list[Any], pair: VersionPair) -> dict[int, str]:
    """Index -> the discriminator's text of each object branch."""
    resolved = [pair.resolve(o) for o in options]
    _, table = find_discriminator(resolved, pair.root)
    told = {i: texts[0] for i, option in enumerate(options) if (texts := read_tag_texts(option))}
    return {index: text for text, index in table.items()} | told


def _share_texts(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    return not set(mine).isdisjoint(theirs)


def _is_same_branch(a: Any, b: Any, i: int, j: int) -> bool:
    return a is b or is_same_json(a, b)


def _build_name_rule(old: list[Any], new: list[Any]) -> Any:
    def find_ref_name(branch: Any) -> str | None:
        branch = unwrap_branch(branch)
        return str(branch["$ref"]).rpartition("/")[2] if isinstance(branch, dict) and "$ref" in branch else None

    return lambda a, b, i, j: find_ref_name(old[i]) is not None and find_ref_name(old[i]) == find_ref_name(new[j])


def _is_similar(a: Any, b: Any) -> bool:
    """Of one type; objects share a third of their fields at least."""
    if not isinstance(a, dict) or not isinstance(b, dict):
        return False
    if a.get("type") != b.get("type") or ("const" in a) != ("const" in b):
        return False
    mine, theirs = set(a.get("properties") or ()), set(b.get("properties") or ())
    if not mine and not theirs:
        return "type" in a or a.keys() - SILENT == b.keys() - SILENT
    # A third: less, and two events of one system look like one that changed; more, and a rename of two fields is a
    # new type.
    return 3 * len(mine & theirs) >= max(len(mine), len(theirs))


# A recursive schema is walked once for each pair, so depth counts nesting that people wrote.
MAX_DEPTH = 60
# Beyond five thousand lines nobody reads on, and `cut` says that there were more.
MAX_DIFFERENCES = 5_000

Step = tuple[Any, ...]  # ("prop", name) | ("item",) | ("at", index) | ("value", names, patterns) | ("pattern", text)


@dataclass(frozen=True, slots=True)
class Around:
    """The old and the new schema around a place, and what is around those."""

    path: str
    old: Any
    new: Any
    outer: Around | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One aspect in which two schemas of one value differ.

    `kind` is added | removed | required | optional | retyped | branch | annotation. `steps` lead from the whole value
    to this one, `path` says them. `aspect` is what `View.replace_aspect` takes over.
    """

    kind: str
    path: str
    steps: tuple[Step, ...]
    old: SchemaView
    new: SchemaView
    aspect: tuple[str, Any]
    before: Place
    after: Place
    name: str = ""  # the field, branch or keyword
    around: Around | None = None


class VersionWalk:
    """One walk. `cut` says that it ended before everything was seen."""

    def __init__(self, pair: VersionPair) -> None:
        self.pair, self.cut = pair, False
        # By identity and in pairs: the same definition may stand against two others, and is two comparisons then.
        self._seen: set[tuple[int, int]] = set()
        self._kept: list[Any] = []  # made here; their ids stay their own
        self._merged: dict[tuple[int, ...], Any] = {}
        self._found = 0

    def run(self) -> Iterator[Difference]:
        """All differences, outermost first."""
        yield from self._compare_schemas(self.pair.old, self.pair.new, "", (), 0)

    def _compare_schemas(
        self, a: Any, b: Any, path: str, steps: tuple[Step, ...], depth: int, around: Around | None = None
    ) -> Iterator[Difference]:
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
            a, b = _convert_to_dict(a), _convert_to_dict(b)
            self._kept.append((a, b))
        old, new = SchemaView(a, self.pair), SchemaView(b, self.pair)
        for difference in self._compare_views(old, new, path, steps, depth, around):
            self._found += difference.old is old
            yield difference

    def _compare_views(
        self, old: SchemaView, new: SchemaView, path: str, steps: tuple[Step, ...], depth: int, around: Around | None
    ) -> Iterator[Difference]:
        def build_difference(
            kind: str, aspect: tuple[str, Any], before: Place, after: Place, name: str = ""
        ) -> Difference:
            place_path = path if kind in ("retyped", "branch", "annotation") else _join_path(path, name)
            return Difference(kind, place_path, steps, old, new, aspect, before, after, name, around)

        yield from _compare_annotations(old, new, build_difference)
        if not old.kinds & new.kinds and (old.kinds or new.kinds):
            # No value is of both: what the keywords say of each has nothing to be compared with. It is one difference.
            keys = tuple(
                dict.fromkeys(
                    [*old.list_keywords(), *new.list_keywords(), "properties", "required", "patternProperties"]
                )
            )
            yield build_difference("retyped", ("keys", keys), old.place, new.place, "type")
            return
        own = Around(path, old.schema, new.schema, around)
        inner: list[tuple[Any, Any, str, tuple[Step, ...]]] = []
        changed: list[str] = []
        for key in dict.fromkeys([*old.list_keywords(), *new.list_keywords()]):
            # Descended into, it tells itself what changed; told here as well it would be one change in two lines.
            if not self._queue_subschemas(key, old, new, path, steps, inner) and not _is_same_keyword(old, new, key):
                changed.append(key)
        for key in [k for k in changed if k in UNIONS]:
            is_compared = yield from self._compare_unions(key, old, new, steps, build_difference, depth, own)
            if is_compared:
                changed.remove(key)
        if changed:
            # All in one: `minimum` and `maximum` that move together are one change to whoever made it.
            yield build_difference(
                "retyped", ("keys", tuple(changed)), *_locate_keyword(old, new, changed[0]), changed[0]
            )
        yield from self._compare_fields(old, new, build_difference, path, steps, inner)
        for a, b, inner_path, way in inner:
            yield from self._compare_schemas(a, b, inner_path, way, depth + 1, own)

    def _compare_fields(
        self, old: SchemaView, new: SchemaView, differs: Any, path: str, steps: tuple[Step, ...], inner: list[Any]
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
                inner.append(
                    (
                        self._merge_parts(old, was),
                        self._merge_parts(new, now),
                        _join_path(path, name),
                        (*steps, ("prop", name)),
                    )
                )
        for name in dict.fromkeys([*old.required, *new.required]):
            # A name that is required and never described: its field says nothing, and that it must be there says
            # enough.
            is_covered = (name in old.fields) != (name in new.fields)  # with the field that came or went
            if (name in old.required) == (name in new.required) or is_covered:
                continue
            kind = "required" if name in new.required else "optional"
            places = (old.required.get(name, old.place), new.required.get(name, new.place))
            yield differs(kind, ("required", name), *places, name)
        for pattern in dict.fromkeys([*old.patterns, *new.patterns]):
            was, now = old.patterns.get(pattern), new.patterns.get(pattern)
            if was is not None and now is not None:
                inner_path, step = _join_path(path, f"/{pattern}/"), ("pattern", pattern)
                inner.append((self._merge_parts(old, was), self._merge_parts(new, now), inner_path, (*steps, step)))
            else:
                places = (was[0][1] if was else old.place, now[0][1] if now else new.place)
                kind = "removed" if was else "added"
                yield differs(kind, ("pattern", pattern), *places, f"/{pattern}/")

    def _merge_parts(self, view: SchemaView, parts: list[Part]) -> Any:
        """One schema of what several say; the same one each time, or a field that holds itself would never end."""
        once = list({id(self.pair.resolve(part)): (part, place) for part, place in reversed(parts)}.values())[::-1]
        key = tuple(id(self.pair.resolve(part)) for part, _ in once)
        if key not in self._merged:
            self._merged[key] = view.merge_parts(once)
        return self._merged[key]

    def _queue_subschemas(
        self, key: str, old: SchemaView, new: SchemaView, path: str, steps: tuple[Step, ...], inner: list[Any]
    ) -> bool:
        """Whether a keyword holds one schema on both sides, which are then walked themselves."""
        was, now = old.find_values(key), new.find_values(key)
        if len(was) != 1 or len(now) != 1:
            return False
        a, b = was[0][0], now[0][0]
        if key in ("items", "additionalProperties") and isinstance(a, dict) and isinstance(b, dict):
            # Which names are "the other ones" is part of the step, because a proof has to build such a name.
            names = frozenset({*old.fields, *new.fields})
            step: Step = ("item",) if key == "items" else ("value", names, (*old.patterns, *new.patterns))
            inner.append((a, b, f"{path}[]" if key == "items" else _join_path(path, "*"), (*steps, step)))
            return True
        if key == "prefixItems" and isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            rows = enumerate(zip(a, b, strict=True))
            inner.extend((x, y, f"{path}[{i}]", (*steps, ("at", i))) for i, (x, y) in rows)
            return True
        return False

    def _compare_unions(
        self, key: str, old: SchemaView, new: SchemaView, steps: tuple[Step, ...], differs: Any, depth: int, own: Around
    ) -> Any:
        """The branches of a union that differs; False where only the whole can be told."""
        was, now = old.find_values(key), new.find_values(key)
        # Two layers that both have a union mean their product, and branch against branch would compare the wrong
        # things.
        if len(was) != 1 or len(now) != 1 or not isinstance(was[0][0], list) or not isinstance(now[0][0], list):
            return False
        (before, at_before), (after, at_after) = was[0], now[0]
        pairs, gone, come = match_branches(before, after, self.pair)
        tag_names = {**map_tags(before, self.pair)}
        for i in gone:
            yield differs("branch", ("branch", (key, before[i])), (*at_before, i), at_after, f"-{i}")
        for j in come:
            yield differs("branch", ("branch", (key, after[j])), at_before, (*at_after, j), f"+{j}")
        for i, j in pairs:
            path = own.path
            branch_path = f"{path}<{tag_names[i]}>" if i in tag_names else f"{path}<{i}>" if len(before) > 1 else path
            yield from self._compare_schemas(before[i], after[j], branch_path, steps, depth + 1, own)
        return True


def _compare_annotations(old: SchemaView, new: SchemaView, differs: Any) -> Iterator[Difference]:
    """What is said to people and changes no value; each by itself, so that none hides a change that breaks."""
    for key in ANNOTATIONS:
        was, now = old.find_values(key)[:1], new.find_values(key)[:1]
        if [w for w, _ in was] != [n for n, _ in now] or (was and not is_same_json(was[0][0], now[0][0])):
            yield differs("annotation", ("keys", (key,)), *_locate_keyword(old, new, key), key)


def _locate_keyword(old: SchemaView, new: SchemaView, key: str) -> tuple[Place, Place]:
    """Where a keyword stands on each side; the schema itself where it does not stand there."""
    before, after = old.find_values(key)[:1], new.find_values(key)[:1]
    return before[0][1] if before else old.place, after[0][1] if after else new.place


def _is_same_keyword(old: SchemaView, new: SchemaView, key: str) -> bool:
    was, now = [v for v, _ in old.find_values(key)], [v for v, _ in new.find_values(key)]
    if key not in ("type", "enum", "required"):
        # Order means something in a list of schemas and nothing in a list of types or names.
        return is_same_json(was, now)
    return is_same_json([_sort_if_list(v) for v in was], [_sort_if_list(v) for v in now])


def _sort_if_list(values: Any) -> Any:
    return sorted(values, key=lambda v: (type(v).__name__, repr(v))) if isinstance(values, list) else values


def _convert_to_dict(schema: Any) -> dict[str, Any]:
    if isinstance(schema, dict):
        return schema
    return {} if schema is True else {"not": {}}


def _join_path(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
