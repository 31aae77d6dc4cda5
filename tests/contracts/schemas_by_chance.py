"""Schemas and payloads by chance, for the property tests: small, over every keyword, made to meet each other."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = ["a", "b", "ab", "c"]
SCALARS = st.sampled_from([None, True, False, 0, 1, 2, -1, 1.5, 0.5, 3, 6, "", "a", "b", "ab", "abc", "1"])
PATTERNS = st.sampled_from(["^a", "b$", "^[ab]*$", "a", "^.{2,}$", "^(?!a)", "^a?b?$", "[0-9]"])
KINDS = ["null", "boolean", "integer", "number", "string", "array", "object"]

payloads = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*NAMES, "x"]), inner, max_size=4),
    max_leaves=8,
)


def _some(**choices: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=choices)


def _numbers() -> st.SearchStrategy[dict[str, Any]]:
    bound = st.sampled_from([-1, 0, 0.5, 1, 2, 3, 5])
    return _some(
        minimum=bound,
        maximum=bound,
        exclusiveMinimum=bound,
        exclusiveMaximum=bound,
        multipleOf=st.sampled_from([1, 2, 3, 0.5, 1.5]),
    )


def _extend(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    count = st.integers(0, 3)
    strings = _some(minLength=count, maxLength=count, pattern=PATTERNS)
    arrays = _some(
        items=inner,
        prefixItems=st.lists(inner, min_size=1, max_size=2),
        minItems=count,
        maxItems=count,
        uniqueItems=st.booleans(),
        contains=inner,
        minContains=count,
        maxContains=count,
        unevaluatedItems=inner,
    )
    names = st.sampled_from(NAMES)
    objects = _some(
        properties=st.dictionaries(names, inner, max_size=3),
        required=st.lists(names, max_size=2, unique=True),
        patternProperties=st.dictionaries(PATTERNS, inner, max_size=2),
        additionalProperties=inner,
        propertyNames=st.one_of(strings, st.just({"enum": ["a", "b", "x"]})),
        minProperties=count,
        maxProperties=count,
        dependentRequired=st.dictionaries(names, st.lists(names, max_size=2, unique=True), max_size=1),
        dependentSchemas=st.dictionaries(names, inner, max_size=1),
        unevaluatedProperties=inner,
    )
    some = st.lists(inner, min_size=1, max_size=3)
    combined = st.one_of(
        some.map(lambda s: {"allOf": s}),
        some.map(lambda s: {"anyOf": s}),
        some.map(lambda s: {"oneOf": s}),
        inner.map(lambda s: {"not": s}),
        st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner}),
    )
    typed = st.one_of(
        st.tuples(st.just("object"), objects),
        st.tuples(st.just("array"), arrays),
    ).map(lambda p: {"type": p[0], **p[1]})
    both = st.tuples(st.one_of(objects, arrays, typed), combined).map(lambda p: {**p[0], **p[1]})
    return st.one_of(typed, objects, arrays, combined, both)


def _leaves() -> st.SearchStrategy[Any]:
    typed = st.sampled_from(KINDS).map(lambda k: {"type": k})
    several = st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True).map(lambda k: {"type": k})
    strings = _some(minLength=st.integers(0, 2), maxLength=st.integers(0, 3), pattern=PATTERNS)
    values = st.one_of(
        SCALARS.map(lambda v: {"const": v}),
        payloads.map(lambda v: {"const": v}),
        st.lists(payloads, min_size=1, max_size=3).map(lambda v: {"enum": v}),
    )
    bounded = st.tuples(st.sampled_from(["integer", "number"]), _numbers()).map(lambda p: {"type": p[0], **p[1]})
    texts = strings.map(lambda s: {"type": "string", **s})
    return st.one_of(st.booleans(), typed, several, values, bounded, texts, strings, _numbers())


schemas: st.SearchStrategy[Any] = st.recursive(_leaves(), _extend, max_leaves=7).filter(lambda s: isinstance(s, dict))
