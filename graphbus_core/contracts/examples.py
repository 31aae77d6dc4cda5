"""Payloads of a contract: each field there and away, each choice and bound, how they go together, seeded mixtures.

They are what a stub server sends, what a running service is sent, and what recordings are measured by. Every one is
held against the contract by the validator before it is given; what cannot be made is left out. Code that refuses more
than its contract mostly does so beyond some bound, or for some form of text, so sizes go up by tens, in characters of
each width, and around what another schema or a source names (`landmarks`). Pure and seeded.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, product, zip_longest
from math import prod
from typing import Any

from graphbus_core.contracts.example_values import FRACTIONS, GROWING, NUMBERS, TEXTS, WIDTHS, Landmarks
from graphbus_core.contracts.inclusion.sampling import generate_candidates
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import follow_pointer, walk_schemas
from graphbus_core.contracts.validation import formats
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.contracts.variations import draw_numbers, list_sizes, resize, walk_parts

MAX_EXAMPLES = 400
_MIXTURES = 120
_DRAWN, _DRAWN_FROM = 300, 100  # payloads whose numbers are drawn, and the examples that they are drawn from
_DEPTH = 8
_MAX_LENGTH = 10_000  # of a text without a bound, and of one whose bound is beyond it
_MAX_ITEMS = 1_000
_MAX_INNER_ITEMS = 20
_SIZES = (2, 20, 100, 1_000, 10_000)  # of lists and texts, as far as they may be
_MAX_EXAMPLE_CHARS = 90_000  # of JSON: servers refuse bodies beyond some 100 KB unread
_MAX_LANDMARK_SIZE = 2_000_000  # of a text or list, where a landmark asks for it
_MAX_COMBINATIONS = 96
_MAX_CHOICES = 6  # of a field whose choices are tried with those of the others
_TRIES = 2_000
_MAX_PARTS = 200_000  # fields of all variants of one object together; a wide object differs in many places at once

_USUAL = 10  # texts that come before those that are named
_AWAY = object()
_MANY = 21  # items of a list that is long beside other choices
_MOST_SIZED = 4  # examples that are tried in other sizes

Feature = tuple[str, str, Any]


def generate_examples(contract: Contract, *, most: int = MAX_EXAMPLES, landmarks: Landmarks = Landmarks()) -> list[Any]:
    """Payloads that a producer with this contract may send, the fullest first; none twice."""
    schema = contract.closed
    fits = validator(contract, side="output").check
    source = _ExampleSource(schema, landmarks)
    most_chars = max([_MAX_EXAMPLE_CHARS, *(2 * n for n in landmarks.numbers if n <= _MAX_LANDMARK_SIZE)])
    examples: list[Any] = []
    seen: set[str] = set()
    for value in source.generate_values():
        if len(examples) >= most:
            break
        text = json.dumps(value, sort_keys=True)
        if text not in seen and len(text) <= most_chars and fits(value) is None:
            seen.add(text)
            examples.append(value)
    return examples


def generate_beside(contract: Contract, landmarks: Landmarks) -> Iterator[Any]:
    """Payloads that show nothing of the contract by themselves, and on which two editions of one code may part: the
    first examples with their numbers drawn, and the fullest one in sizes far beyond those of examples."""
    fits = validator(contract, side="output").check
    bases = generate_examples(contract, most=_DRAWN_FROM)
    drawn = (draw_numbers(bases[seed % len(bases)], seed) for seed in range(_DRAWN if bases else 0))
    sized = (payload for base in _cover_places(bases) for payload in resize(base, list_sizes(landmarks.numbers)))
    yield from (payload for payload in chain(drawn, sized) if fits(payload) is None)


def _cover_places(payloads: Iterable[Any]) -> list[Any]:
    """The first of the payloads that have lists, texts and objects where none before has."""
    seen: set[Any] = set()
    chosen: list[Any] = []
    for payload in payloads:
        places = {place for place, part in walk_parts(payload) if part and isinstance(part, dict | list | str)}
        if not places <= seen and len(chosen) < _MOST_SIZED:
            seen |= places
            chosen.append(payload)
    return chosen


def list_features(schema: Any, payloads: Iterable[Any]) -> set[Feature]:
    """What payloads show of a schema: (place, what, which): a kind there, a choice taken, a named field away."""
    features: set[Feature] = set()
    for payload in payloads:
        features |= set(_walk_features(schema, schema, payload, "", 0))
    return features


def describe_feature(feature: Feature) -> str:
    """A feature in words: `note left out`, `status is "paid"`."""
    place, what, which = feature
    name = place or "the payload"
    return f"{name} left out" if what == "away" else f"{name} is {which}"


def _walk_features(schema: Any, document: Any, value: Any, place: str, depth: int) -> Iterator[Feature]:
    if depth > 2 * _DEPTH:
        return
    yield (place, "kind", _name_kind(value))
    for part in _list_in_place(schema, document, 0):
        if ("enum" in part or "const" in part) and not isinstance(value, dict | list):
            yield (place, "choice", repr(value) if not isinstance(value, str) else f'"{value}"')
        fields = part.get("properties", {})
        if isinstance(value, dict) and isinstance(fields, dict):
            for name, field in fields.items():
                inner = f"{place}.{name}" if place else name
                if name in value:
                    yield from _walk_features(field, document, value[name], inner, depth + 1)
                else:
                    yield (inner, "away", "")
        if isinstance(value, list) and isinstance(part.get("items"), dict):
            for item in value:
                yield from _walk_features(part["items"], document, item, f"{place}[]", depth + 1)


def _list_in_place(schema: Any, document: Any, depth: int) -> list[dict[str, Any]]:
    """A schema and all that speak of the same value."""
    if not isinstance(schema, dict) or depth > _DEPTH:
        return []
    parts = [schema]
    if isinstance(schema.get("$ref"), str):
        parts += _list_in_place(follow_pointer(document, schema["$ref"]), document, depth + 1)
    for key in ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(key, ()) if isinstance(schema.get(key), list) else ():
            parts += _list_in_place(branch, document, depth + 1)
    return parts


def _name_kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    return "an object"


class _ExampleSource:
    def __init__(self, document: Any, landmarks: Landmarks) -> None:
        self._document = document
        self._sizes = sorted({near for n in landmarks.numbers for near in (n - 1, n, n + 1, 2 * n + 1, 10 * n + 1)})
        self._landmarks = landmarks
        self._matching = {pattern: _list_matching({"pattern": pattern}) for pattern in sorted(landmarks.patterns)}
        self._random = random.Random(0)

    def generate_values(self) -> Iterator[Any]:
        """The fullest payload, how the choices go together, then each way to differ in one place, and mixtures between
        them."""
        values = self._list_values(self._document, 0)
        width = sum(
            len(part.get("properties", ())) for _, part in walk_schemas(self._document) if isinstance(part, dict)
        )
        yield from values[:1]
        yield from self._combine(values[:1], width)
        mixtures = (self._mix(self._document, 0) for _ in range(min(_MIXTURES, _MAX_PARTS // max(width, 1) // 10)))
        for number, value in enumerate(values[1:]):
            yield value
            if number % 3 == 0:
                yield from islice(mixtures, 1)
        yield from mixtures
        if not values:
            yield from islice(generate_candidates(self._document, True), _TRIES)

    def _combine(self, full: Sequence[Any], width: int) -> Iterator[Any]:
        """Each choice beside each of the others: code often asks for two at once, as paid, and without an address."""
        choices = list(self._list_choices(self._document, (), 0)) if width <= _MAX_PARTS // 10_000 else []
        if not choices or not full:
            return
        drawn: Iterable[Sequence[Any]]
        if prod(len(values) for _, values in choices) <= _MAX_COMBINATIONS:
            drawn = product(*(values for _, values in choices))
        else:
            drawn = ([self._random.choice(values) for _, values in choices] for _ in range(_MAX_COMBINATIONS))
        for chosen in drawn:
            payload = json.loads(json.dumps(full[0]))
            for (place, _), value in zip(choices, chosen, strict=True):
                _put(payload, place, value)
            yield payload

    def _list_choices(self, schema: Any, place: tuple[Any, ...], depth: int) -> Iterator[tuple[Any, list[Any]]]:
        """The places of few choices, as there or away, and what may stand in each. Of a list, one item or two."""
        schema = self._resolve(schema)
        if not isinstance(schema, dict) or depth > 3 or "anyOf" in schema or "oneOf" in schema:
            return
        fields = schema.get("properties", {})
        for name, field in fields.items() if isinstance(fields, dict) else ():
            values = self._list_values(field, depth + 1)
            if not values:
                continue
            is_choice = len(values) <= _MAX_CHOICES
            away = [] if name in schema.get("required", []) else [_AWAY]
            if is_choice or away:
                yield (*place, name), [*(values if is_choice else values[:1]), *away]
            elif isinstance(values[0], dict):
                yield from self._list_choices(field, (*place, name), depth + 1)
            elif isinstance(values[0], list) and values[0]:
                most = min(_MANY, self._resolve(field).get("maxItems", _MANY))
                yield (*place, name), [values[0], values[0][-1:] * most]

    def _resolve(self, schema: Any) -> Any:
        for _ in range(_DEPTH):
            if not isinstance(schema, dict) or not isinstance(schema.get("$ref"), str):
                break
            target = follow_pointer(self._document, schema["$ref"])
            rest = {k: v for k, v in schema.items() if k != "$ref"}
            schema = {**target, **rest} if isinstance(target, dict) else rest
        if isinstance(schema, dict) and isinstance(schema.get("allOf"), list):
            merged = {k: v for k, v in schema.items() if k != "allOf"}
            for part in schema["allOf"]:
                merged = _merge_schemas(merged, self._resolve(part))
            return merged
        return schema

    def _list_values(self, schema: Any, depth: int) -> list[Any]:
        """The usual value first, then one for each way to differ from it."""
        schema = self._resolve(schema)
        if not isinstance(schema, dict) or not schema:
            return [] if schema is False else ["any", 0, None, [], {}]
        stated = schema["examples"] if isinstance(schema.get("examples"), list) else []
        if "const" in schema:
            return [schema["const"]]
        if isinstance(schema.get("enum"), list):
            return list(schema["enum"])
        for key in ("anyOf", "oneOf"):
            if isinstance(schema.get(key), list):
                beside = {k: v for k, v in schema.items() if k != key}
                branches = [_merge_schemas(beside, self._resolve(branch)) for branch in schema[key]]
                return [value for branch in branches for value in self._list_values(branch, depth)]
        types = schema.get("type") or ("object" if "properties" in schema else "string")
        values = [*stated]
        for name in types if isinstance(types, list) else [types]:
            values += self._list_of_type(name, schema, depth)
        return values

    def _list_of_type(self, name: str, schema: dict[str, Any], depth: int) -> list[Any]:
        if name == "object":
            return self._list_objects(schema, depth) if depth < _DEPTH else [{}]
        if name == "array":
            return self._list_arrays(schema, depth) if depth < _DEPTH else [[]]
        if name == "string":
            return self._list_texts(schema)
        if name in ("integer", "number"):
            return _list_numbers(schema, name == "integer", self._sizes)
        return [True, False] if name == "boolean" else [None]

    def _list_objects(self, schema: dict[str, Any], depth: int) -> list[Any]:
        fields, required = schema.get("properties", {}), schema.get("required", [])
        choices = {name: self._list_values(field, depth + 1) for name, field in fields.items()}
        full = {name: values[0] for name, values in choices.items() if values}
        objects = [full]
        if isinstance(schema.get("additionalProperties"), dict):
            more = self._list_values(schema["additionalProperties"], depth + 1)
            objects += [{**full, f"key{i}": value} for i, value in enumerate(more[:5])]
        if len(full) * sum(len(values) for values in choices.values()) > _MAX_PARTS:
            objects += _vary_together(choices, required)
        else:
            objects += [{k: v for k, v in full.items() if k != name} for name in choices if name not in required]
            # By turns, so that no field uses up what may be sent.
            turns = zip_longest(*([(name, value) for value in values[1:]] for name, values in choices.items()))
            objects += [{**full, name: value} for turn in turns for name, value in filter(None, turn)]
        objects.append({k: v for k, v in full.items() if k in required})
        return objects

    def _list_arrays(self, schema: dict[str, Any], depth: int) -> list[Any]:
        first = [self._list_values(part, depth + 1)[:1] for part in schema.get("prefixItems", ())]
        head = [value for values in first for value in values]
        values = self._list_values(schema["items"], depth + 1) if isinstance(schema.get("items"), dict) else []
        most = _MAX_ITEMS if depth <= 1 else _MAX_INNER_ITEMS  # long lists of long lists are more than a server reads
        least, largest = schema.get("minItems", 0), min(schema.get("maxItems", most), most)
        usual = [*head, *values[:1] * max(1, least - len(head))] if values else head
        arrays = [usual, *([*usual[:-1], value] for value in values[1:])]
        if not least:
            arrays.append([])
        if values:
            sizes = sorted({n for n in (largest, *_SIZES, *self._sizes) if max(least, 1) < n <= largest})
            arrays += [[values[i % len(values)] for i in range(n)] for n in sizes]
            # The usual one alone, so that a long list is not always one of long values, and one that comes twice.
            arrays += [values[:1] * n for n in sizes]
            # In this order and in the other one.
            arrays += [
                list(pair)
                for value in values[1 : _MAX_CHOICES + 1]
                for pair in ((values[0], value), (value, values[0]))
            ]
            if depth <= 1:
                most = min(schema.get("maxItems", _MAX_LANDMARK_SIZE), _MAX_LANDMARK_SIZE // 20)
                arrays += [values[:1] * (n + 1) for n in self._landmarks.numbers if largest <= n < most]
        return arrays

    def _list_texts(self, schema: dict[str, Any]) -> list[str]:
        least, most = schema.get("minLength", 0), min(schema.get("maxLength", _MAX_LENGTH), _MAX_LENGTH)
        if isinstance(schema.get("format"), str):
            samples = [text for text in formats.SAMPLES if formats.fits(schema["format"], text)]
            if samples:
                return samples[:3]
        if isinstance(schema.get("pattern"), str):
            return _list_matching(schema)
        sizes = sorted({n for n in (most, *_SIZES, *self._sizes) if least < n <= most})
        texts = [*TEXTS[:_USUAL], *self._list_named(), *TEXTS[_USUAL:]]
        texts += [("text " * n)[:n] for n in sizes]
        texts += [character * n for n in sizes for character in (*WIDTHS[1:], *GROWING)]
        fitted = [(text + "x" * least)[: max(most, 0)] if len(text) < least else text[:most] for text in texts]
        longest = min(schema.get("maxLength", _MAX_LANDMARK_SIZE), _MAX_LANDMARK_SIZE)
        fitted += ["x" * (n + 1) for n in self._landmarks.numbers if most <= n < longest]
        return list(dict.fromkeys([*fitted, "x" * least]))

    def _list_named(self) -> Iterator[str]:
        """Texts around those that are named: itself, within others, in the other case, and what a pattern matches."""
        for text in sorted(self._landmarks.texts):
            yield from (text, f"{text}1", f"1{text}", f"a{text}a", text.swapcase())
        for words in self._matching.values():
            for word in words:
                yield from (word, f"{word}1", f"1{word}", f"a {word} a")

    def _mix(self, schema: Any, depth: int) -> Any:
        """A value with a drawn choice at each place."""
        resolved = self._resolve(schema)
        if isinstance(resolved, dict) and depth < _DEPTH and "enum" not in resolved:
            if isinstance(resolved.get("properties"), dict):
                required = resolved.get("required", [])
                return {
                    name: self._mix(field, depth + 1)
                    for name, field in resolved["properties"].items()
                    if name in required or self._random.random() < 0.6
                }
            if resolved.get("type") == "array" and isinstance(resolved.get("items"), dict):
                count = self._random.randint(resolved.get("minItems", 0), min(resolved.get("maxItems", 4), 4) or 0)
                return [self._mix(resolved["items"], depth + 1) for _ in range(count)]
        values = self._list_values(schema, depth)
        return self._random.choice(values) if values else None


def _put(payload: Any, place: tuple[Any, ...], value: Any) -> None:
    """Put a value at a place of an object, or take out what is there; nothing where the place itself is away."""
    for name in place[:-1]:
        if not isinstance(payload, dict) or name not in payload:
            return
        payload = payload[name]
    if value is _AWAY:
        payload.pop(place[-1], None)
    elif isinstance(payload, dict):
        payload[place[-1]] = value


def _vary_together(choices: dict[str, list[Any]], required: list[str]) -> list[dict[str, Any]]:
    """Objects in which every field takes its next value, so that each value is in one of them."""
    some = {name: values for name, values in choices.items() if values}
    most = max(map(len, some.values()), default=0)
    objects = [{name: values[i % len(values)] for name, values in some.items()} for i in range(1, most)]
    return [*objects, *({k: v for k, v in value.items() if k in required} for value in objects[:1])]


def _merge_schemas(one: Any, other: Any) -> Any:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return other if isinstance(other, dict) else one
    merged = {**one, **other}
    if "properties" in one and "properties" in other:
        merged["properties"] = {**one["properties"], **other["properties"]}
    if "required" in one and "required" in other:
        merged["required"] = [*one["required"], *other["required"]]
    return merged


def _list_numbers(schema: dict[str, Any], whole: bool, landmarks: list[int]) -> list[Any]:
    low, high = schema.get("minimum"), schema.get("maximum")
    step = schema.get("multipleOf")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    gap = step or (1 if whole else 0.5)
    low = above + gap if low is None and above is not None else low
    high = below - gap if high is None and below is not None else high
    if step:
        start = low if low is not None else 0
        first = -(-start // step) * step
        return [first + step, first, *([high // step * step] if high is not None else [])]
    usual = [*NUMBERS[:8], *landmarks, *NUMBERS[8:]] + ([] if whole else [*FRACTIONS])
    inside = [n for n in usual if (low is None or n >= low) and (high is None or n <= high)]
    bounds = [
        n
        for n in (low, None if low is None else low + gap, high, None if high is None else high - gap)
        if n is not None
    ]
    values = inside + [
        n for n in bounds if n not in inside and (low is None or n >= low) and (high is None or n <= high)
    ]
    return [int(n) if whole and isinstance(n, float) and n.is_integer() else n for n in values]


def _list_matching(schema: dict[str, Any]) -> list[str]:
    """A few texts of a pattern, with the length that is asked for."""
    from graphbus_core.contracts.inclusion.languages import TermArena
    from graphbus_core.contracts.verdict import STEPS, Budget, Inconclusive

    try:
        languages = TermArena(Budget(STEPS))
        term = languages.compile_pattern(schema["pattern"])
        if "minLength" in schema or "maxLength" in schema:
            length = languages.match_length(schema.get("minLength", 0), schema.get("maxLength"))
            term = languages.intersect([term, length])
        return languages.find_words(term, 5)
    except (Inconclusive, RecursionError):
        return []
