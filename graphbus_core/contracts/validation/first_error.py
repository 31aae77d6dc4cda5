"""The first violation of a payload, with its path: a schema prepared once, then asked for every payload that fails.

`FirstErrorSearch.find` knows the keywords of 2020-12 that speak of one place (`readable` says whether a schema has
others:
`unevaluated…`, dynamic references). It looks at live Python values one level at a time, so that a payload is never
copied to find one wrong field in it. Sub-schemas with a compiled test (`tests`) are passed over by that.

The order is fixed: the type first, then what must be there, then the parts in the order of the schema.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import islice
from operator import ge, gt, le, lt
from typing import Any

from graphbus_core.contracts.inclusion.formulas import make_key
from graphbus_core.contracts.inclusion.regex import compile_pattern
from graphbus_core.contracts.parsing.json_schema import SILENT, follow_pointer
from graphbus_core.contracts.parsing.jsonable import (
    JSON_TYPES,
    convert_level,
    convert_to_json,
    find_format,
    list_class_names,
    serialize_model,
)
from graphbus_core.contracts.parsing.type_forms import OPAQUE
from graphbus_core.contracts.validation import formats

# Which branch of a union a value is meant for: by its discriminator, by its type, or by likeness.
#
# A discriminator is a field that every object branch requires with texts of its own (`kind: Literal["cat"]`).


# Comparing fields of more branches costs more than the message is worth.
MOST_COMPARED = 30  # branches whose fields are compared, where no other sign tells
_KINDS = {str: "string", bool: "boolean", type(None): "null", list: "array", dict: "object"}


class UnionBranches:
    """The branches of one `anyOf` or `oneOf`, references followed."""

    def __init__(self, options: list[Any], document: Any) -> None:
        self.options = [resolve_reference(o, document) for o in options]
        self.tag, self.tags = find_discriminator(self.options, document)
        self.telling = [find_telling_field(o, self.options) for o in self.options]

    def find_by_tag(self, value: Any) -> int | None:
        """The branch that the discriminator of a value names, or None."""
        tag_text = value.get(self.tag) if self.tag is not None and isinstance(value, dict) else None
        return self.tags.get(tag_text) if isinstance(tag_text, str) else None

    def find_likeliest(self, value: Any, missing: list[bool]) -> tuple[int, str] | None:
        """The branch that a refused value was meant for, and how that is known; `missing` says which lack a field."""
        whole = [i for i, lacks in enumerate(missing) if not lacks]
        # From the surest sign to the weakest. The message tells which one spoke, since people correct what it names.
        if len(whole) == 1 and isinstance(value, dict) and _is_type_accepted(self.options[whole[0]], value):
            return whole[0], "the only alternative with these fields"
        fitting = [i for i, o in enumerate(self.options) if _is_type_accepted(o, value)]
        if len(fitting) == 1:
            return fitting[0], "" if len(self.options) == 1 else "the only alternative of its type"
        if not isinstance(value, dict) or len(fitting) > MOST_COMPARED:
            return None
        scores = sorted(((_score_likeness(self.options[i], value), i) for i in fitting), reverse=True)
        # Only a clear winner: of two that are equally near naming one would send its author the wrong way.
        if len(scores) > 1 and scores[0][0] > scores[1][0] and scores[0][0] > 0:
            return scores[0][1], f"the nearest of {len(self.options)} alternatives"
        return None


def find_telling_field(option: Any, options: list[Any]) -> str | None:
    """A field that an object branch requires and not every other does; None where there is none."""
    required = option.get("required", ()) if isinstance(option, dict) and option.get("type") == "object" else ()
    others = [o.get("required", ()) for o in options if isinstance(o, dict)]
    return next((n for n in required if not all(n in o for o in others)), None)


def find_discriminator(options: list[Any], document: Any) -> tuple[str | None, Mapping[str, int]]:
    """The field that tells the object branches apart, and text -> branch; (None, {}) where there is none.

    `options` are resolved. Branches that take no object do not count.
    """
    objects = [(i, o) for i, o in enumerate(options) if isinstance(o, dict) and o.get("type") == "object"]
    # Every branch must be an object with the tag, or surely no object. Otherwise a value may be meant for a third.
    if len(objects) < 2 or len(objects) + sum(map(_is_simple, options)) != len(options):
        return None, {}
    for name in objects[0][1].get("required", ()):
        table: dict[str, int] = {}
        for index, option in objects:
            if name not in option.get("required", ()):
                break
            texts = _list_texts(resolve_reference(option.get("properties", {}).get(name), document))
            # A text of two branches tells neither.
            if not texts or not table.keys().isdisjoint(texts):
                break
            table |= dict.fromkeys(texts, index)
        else:
            return name, table
    return None, {}


def _is_simple(option: Any) -> bool:
    """A branch that surely takes no object."""
    if not isinstance(option, dict):
        return False
    kinds = option.get("type")
    type_names = [kinds] if isinstance(kinds, str) else kinds
    return isinstance(type_names, list) and "object" not in type_names


def _list_texts(schema: Any) -> list[str]:
    if not isinstance(schema, dict):
        return []
    values = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return list(values) if isinstance(values, list) and all(type(v) is str for v in values) else []


def resolve_reference(option: Any, document: Any) -> Any:
    """What a bare reference leads to, through further ones. One with rules beside it is a schema of its own."""
    # Twenty: a chain that long is a circle.
    for _ in range(20):
        if not isinstance(option, dict) or "$ref" not in option or not str(option["$ref"]).startswith("#"):
            break
        if not option.keys() - SILENT <= {"$ref"}:
            break
        option = follow_pointer(document, option["$ref"])
    return option


def _is_type_accepted(option: Any, value: Any) -> bool:
    """Whether the type of a value is one of the branch's."""
    kinds = option.get("type") if isinstance(option, dict) else None
    if kinds is None:
        return True
    type_names = [kinds] if isinstance(kinds, str) else kinds
    kind = _KINDS.get(type(value), "number")
    return kind in type_names or (kind == "number" and "integer" in type_names)


def _score_likeness(option: Any, value: dict[str, Any]) -> int:
    fields = option.get("properties", {}) if isinstance(option, dict) else {}
    needed = option.get("required", ()) if isinstance(option, dict) else ()
    return (
        2 * sum(n in fields for n in value) - sum(n not in value for n in needed) - sum(n not in fields for n in value)
    )


# The keywords that a value settles by itself: each gives the violation, or None.
#
# What needs the parts of a value judged by other schemas is in `first`.


BOUNDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "minimum": ge,
    "maximum": le,
    "exclusiveMinimum": gt,
    "exclusiveMaximum": lt,
}
TYPES: Mapping[str, type] = {"string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}


class FirstError:
    """One violation: `parts` from the inside out, the keyword, what it wants, and the value that breaks it."""

    __slots__ = ("keyword", "note", "parts", "value", "wanted")

    def __init__(self, keyword: str, limit: Any, value: Any) -> None:
        self.keyword, self.wanted, self.value = keyword, limit, value
        self.parts: list[str | int] = []
        self.note = ""

    def add_part(self, part: str | int) -> FirstError:
        """The same violation, seen from one level further out."""
        self.parts.append(part)
        return self


Rule = Callable[[Any, Any], FirstError | None]  # (schema, value)


def report_mistyped(schema: dict[str, Any], value: Any) -> FirstError | None:
    return FirstError("type", schema["type"], value)


def check_integer(schema: dict[str, Any], value: float) -> FirstError | None:
    """1.0 is an integer, 1.5 is not."""
    return None if value.is_integer() else FirstError("type", schema["type"], value)


def check_const(schema: dict[str, Any], value: Any) -> FirstError | None:
    return None if is_one_of([schema["const"]], value) else FirstError("const", [schema["const"]], value)


def check_enum(schema: dict[str, Any], value: Any) -> FirstError | None:
    return None if is_one_of(schema["enum"], value) else FirstError("enum", schema["enum"], value)


def is_one_of(options: list[Any], value: Any) -> bool:
    converted = convert_to_json(value)
    if type(converted) is str:
        return converted in options
    try:
        mine = make_key(converted)
        return any(make_key(g) == mine for g in options)
    except (TypeError, ValueError, OverflowError, IndexError, KeyError):
        return False  # no JSON value: equal to none


def check_opaque(schema: dict[str, Any], value: Any) -> FirstError | None:
    return FirstError(OPAQUE, schema[OPAQUE], value) if type(value) in JSON_TYPES else None


def check_required(schema: dict[str, Any], value: dict[Any, Any]) -> FirstError | None:
    for name in schema["required"]:
        if name not in value:
            value = convert_keys(value)
            if name not in value:
                return FirstError("required", name, value)
    return None


def convert_keys(value: dict[Any, Any]) -> dict[str, Any]:
    """An object with the keys that it has in JSON."""
    for key in value:
        if type(key) is not str:
            converted: dict[str, Any] = convert_level(value)
            return converted
    return value


def find_exact_types(schema: Any) -> frozenset[type]:
    """The Python types whose values all fit, where a schema says no more than a type."""
    if not isinstance(schema, dict) or not schema.keys() <= {"type", "description", "title", "default"}:
        return frozenset()
    kind = schema.get("type")
    if kind == "number":
        return frozenset({int, float})
    return frozenset({int} if kind == "integer" else {TYPES[kind]} if isinstance(kind, str) else ())


def check_count(schema: dict[str, Any], value: Any) -> FirstError | None:
    least, most = ("minItems", "maxItems") if isinstance(value, list) else ("minProperties", "maxProperties")
    if least in schema and len(value) < schema[least]:
        return FirstError(least, schema[least], value)
    return FirstError(most, schema[most], value) if most in schema and len(value) > schema[most] else None


def check_unique(schema: dict[str, Any], value: list[Any]) -> FirstError | None:
    return FirstError("uniqueItems", True, value) if schema["uniqueItems"] and not are_distinct(value) else None


def build_number_rule(schema: dict[str, Any]) -> Rule:
    """The bounds of a number, looked up once."""
    limits = [(key, holds, schema[key]) for key, holds in BOUNDS.items() if key in schema]
    step = schema.get("multipleOf")

    def check_limits(_: Any, value: Any) -> FirstError | None:
        for key, holds, limit in limits:
            if not holds(value, limit):
                return FirstError(key, limit, value)
        return None

    def check_range(_: Any, value: Any) -> FirstError | None:
        if not least_holds(value, least):
            return FirstError(least_key, least, value)
        return None if most_holds(value, most) else FirstError(most_key, most, value)

    check_number = check_limits
    if len(limits) == 2:  # most often; a loop costs as much as what it does here
        (least_key, least_holds, least), (most_key, most_holds, most) = limits
        check_number = check_range

    def check_multiple(_: Any, value: Any) -> FirstError | None:
        error = check_number(_, value)
        return error if error is not None or is_multiple(value, step) else FirstError("multipleOf", step, value)

    return check_number if step is None else check_multiple


def build_text_rule(schema: dict[str, Any], counted: frozenset[str]) -> Rule:
    """The length, the pattern and the format of a text, looked up once."""
    least, most = schema.get("minLength", 0), schema.get("maxLength", sys.maxsize)
    matches = compile_pattern(schema["pattern"]).search if "pattern" in schema else None
    rule = formats.find_rule(schema["format"]) if schema.get("format") in counted else None

    def check_text(_: Any, value: str) -> FirstError | None:
        if least <= len(value) <= most:
            if matches is not None and matches(value) is None:
                return FirstError("pattern", schema["pattern"], value)
            return None if rule is None or rule(value) else FirstError("format", schema["format"], value)
        return FirstError("minLength", least, value) if len(value) < least else FirstError("maxLength", most, value)

    return check_text


def is_multiple(value: Any, step: Any) -> bool:
    """Whether a number is a multiple, over exact decimals: 0.3 is one of 0.1. Nothing infinite is."""
    try:
        return (Fraction(repr(value)) / Fraction(repr(step))).denominator == 1
    except (ValueError, OverflowError):
        return False


def are_distinct(values: list[Any]) -> bool:
    """Whether no two items are equal as JSON: 1 and 1.0 are, 1 and true are not."""
    try:
        return len({make_key(convert_to_json(v)) for v in values}) == len(values)
    except (TypeError, ValueError, OverflowError, IndexError, KeyError):
        return True  # something in it has no JSON form, which is not for this keyword to say


class FirstErrorSearch:
    """Finds the first violation. `counted` formats count; `live` says that a live date is not a `str` (a link)."""

    def __init__(self, document: Any, counted: frozenset[str], live: bool) -> None:
        self.document, self._counted, self._live = document, counted, live
        self.tests: dict[int, Callable[[Any], bool]] = {}
        # Where the compiled test of many items stopped: id of their schema -> the list or mapping, and the index.
        self.doubts: dict[int, tuple[Any, int]] = {}
        self._branches: dict[int, UnionBranches] = {}  # by the id of the list that holds them
        self._rules: dict[int, dict[type, tuple[Rule, ...]]] = {}  # id of a schema -> type of a value -> what to ask
        self._plans: dict[int, list[tuple[str, Any, dict[type, tuple[Rule, ...]]]]] = {}
        self._kept: list[Any] = []

    def find(self, schema: Any, value: Any) -> FirstError | None:
        """The first violation of `value`, or None. Raises RecursionError for what is nested too deeply."""
        rules_by_type = self._rules.get(id(schema))
        if rules_by_type is None:
            if schema is True:
                return None
            if schema is False:
                return FirstError("false schema", None, value)
            rules_by_type = self._prepare(schema)
        type_rules = rules_by_type.get(type(value))
        if type_rules is None:
            wrong, value = self._convert_live_value(schema, value)
            if wrong is not None:
                return wrong
            type_rules = rules_by_type.get(type(value))
            if type_rules is None:
                type_rules = self._list_untyped_rules(schema)
        for rule in type_rules:
            error = rule(schema, value)
            if error is not None:
                return error
        return None

    def _prepare(self, schema: dict[str, Any]) -> dict[type, tuple[Rule, ...]]:
        """What is asked of values of each type, in order: a keyword that says nothing of a type costs nothing."""
        kinds = schema.get("type")
        type_names = frozenset([kinds] if isinstance(kinds, str) else kinds or TYPES.keys() | {"number"})
        everywhere = [rule for key, rule in self._list_common_rules() if key in schema]
        rules_by_type: dict[type, tuple[Rule, ...]] = {}
        for kind in JSON_TYPES:
            if not (_NAMES[kind] & type_names) and not (kind is float and "integer" in type_names):
                rules_by_type[kind] = (report_mistyped,)
                continue
            whole = kind is float and "number" not in type_names
            own = self._list_own_rules(schema, kind)
            rules_by_type[kind] = (*([check_integer] if whole else []), *own, *everywhere)
        self._rules[id(schema)] = rules_by_type
        self._kept.append(schema)  # its id stays its own
        return rules_by_type

    def _list_untyped_rules(self, schema: dict[str, Any]) -> tuple[Rule, ...]:
        """What can be asked of a value that JSON does not have."""
        typed: list[Rule] = [report_mistyped] if "type" in schema else []
        return (*typed, *(rule for key, rule in self._list_common_rules() if key in schema))

    def _list_common_rules(self) -> list[tuple[str, Rule]]:
        return [
            ("const", check_const),
            ("enum", check_enum),
            ("$ref", self._check_ref),
            ("allOf", self._check_all_of),
            ("anyOf", self._check_any_of),
            ("oneOf", self._check_one_of),
            ("not", self._check_not),
            ("if", self._check_if),
            (OPAQUE, check_opaque),
        ]

    def _list_type_rules(self, kind: type) -> list[tuple[frozenset[str], Rule]]:
        if kind is dict:
            return [
                (frozenset({"required"}), check_required),
                (frozenset({"properties"}), self._check_fields),
                (frozenset({"patternProperties", "additionalProperties"}), self._check_further_fields),
                (frozenset({"minProperties", "maxProperties"}), check_count),
                (frozenset({"propertyNames"}), self._check_names),
                (frozenset({"dependentRequired", "dependentSchemas"}), self._check_dependent),
            ]
        if kind is list:
            return [
                (frozenset({"minItems", "maxItems"}), check_count),
                (frozenset({"prefixItems", "items"}), self._check_items),
                (frozenset({"uniqueItems"}), check_unique),
                (frozenset({"contains"}), self._check_contains),
            ]
        return []

    def _list_own_rules(self, schema: dict[str, Any], kind: type) -> list[Rule]:
        """What a schema says of values of one type."""
        if kind is str:
            return [build_text_rule(schema, self._counted)] if not _OF_TEXT.isdisjoint(schema) else []
        if kind is int or kind is float:
            return [build_number_rule(schema)] if not _OF_NUMBER.isdisjoint(schema) else []
        return [rule for keys, rule in self._list_type_rules(kind) if not keys.isdisjoint(schema)]

    def fits(self, schema: Any, value: Any) -> bool:
        """Whether a value fits, by the compiled test where it says so."""
        test = self.tests.get(id(schema))
        return (test is not None and test(value)) or self.find(schema, value) is None

    def _convert_live_value(self, schema: dict[str, Any], value: Any) -> tuple[FirstError | None, Any]:
        """One level of a live value as JSON; or the violation that it is one."""
        name = schema.get(OPAQUE)
        if name is not None:
            return (None if name in list_class_names(value) else FirstError(OPAQUE, name, value)), value
        format_name = find_format(value)
        # A `str` parameter that gets a datetime fails in the first line that treats it as text.
        text = format_name is not None and self._live and schema.get("type") == "string"
        if text and schema.get("format") != format_name:
            return FirstError("type", "string", value), value
        if hasattr(value, "model_dump"):
            return None, serialize_model(value, resolve_reference(schema, self.document).get("properties", {}))
        return None, convert_level(value)

    # ---- keywords of every type

    def _check_ref(self, schema: dict[str, Any], value: Any) -> FirstError | None:
        return self.find(follow_pointer(self.document, schema["$ref"]), value)

    def _check_all_of(self, schema: dict[str, Any], value: Any) -> FirstError | None:
        return next((f for s in schema["allOf"] if (f := self.find(s, value)) is not None), None)

    def _check_any_of(self, schema: dict[str, Any], value: Any) -> FirstError | None:
        return self._check_union(schema, "anyOf", value)

    def _check_one_of(self, schema: dict[str, Any], value: Any) -> FirstError | None:
        fitting = [i for i, s in enumerate(schema["oneOf"]) if self.fits(s, value)]
        if not fitting:
            return self._check_union(schema, "oneOf", value)
        return None if len(fitting) == 1 else FirstError("oneOf", fitting, value)

    def _check_union(self, schema: dict[str, Any], key: str, value: Any) -> FirstError | None:
        """Why no branch takes a value: the violation of the branch that is meant, where one is."""
        branches = self._branches.get(id(schema[key]))  # of the list: a schema may have `anyOf` and `oneOf`
        if branches is None:
            branches = self._branches[id(schema[key])] = UnionBranches(schema[key], self.document)
        index = branches.find_by_tag(value)
        if index is not None:
            error = self.find(branches.options[index], value)
            if error is not None and not error.note:
                error.note = f"as {branches.tag} {value[branches.tag]!r} says"
            return error
        refused: list[FirstError | None] = []
        shaped = type(value) is dict
        for option, telling in zip(branches.options, branches.telling, strict=True):
            if shaped and telling is not None and telling not in value and telling not in convert_keys(value):
                refused.append(None)  # lacks a field: no need to make a violation of it
                continue
            error = self.find(option, value)
            if error is None:
                return None
            refused.append(error)
        if shaped and branches.tag is not None:
            return _report_no_branch(branches, key, schema[key], value)
        chosen = branches.find_likeliest(
            value, [f is None or (f.keyword == "required" and not f.parts) for f in refused]
        )
        if chosen is None:
            return _report_no_branch(branches, key, schema[key], value)
        error = refused[chosen[0]] or self.find(branches.options[chosen[0]], value)
        assert error is not None
        error.note = error.note or chosen[1]
        return error

    def _check_not(self, schema: dict[str, Any], value: Any) -> FirstError | None:
        return FirstError("not", schema["not"], value) if self.find(schema["not"], value) is None else None

    def _check_if(self, schema: dict[str, Any], value: Any) -> FirstError | None:
        branch = "then" if self.find(schema["if"], value) is None else "else"
        return self.find(schema.get(branch, True), value)

    # ---- one type each

    def _check_items(self, schema: dict[str, Any], value: list[Any]) -> FirstError | None:
        prefix, rest = schema.get("prefixItems", ()), schema.get("items", True)
        for i, item in enumerate(prefix[: len(value)]):
            error = self.find(item, value[i])
            if error is not None:
                return error.add_part(i)
        if rest is True:
            return None
        test = self.tests.get(id(rest))
        start = len(prefix) or self._find_start(rest, value)
        for i in range(start, len(value)):
            if test is not None and i > start and test(value[i]):
                continue
            error = self.find(rest, value[i])
            if error is not None:
                return error.add_part(i)
        return None

    def _find_start(self, schema: Any, value: Any) -> int:
        """How many of the items, or of the values, the compiled test has passed."""
        container, index = self.doubts.get(id(schema), (None, 0))
        return index if container is value else 0

    def _check_contains(self, schema: dict[str, Any], value: list[Any]) -> FirstError | None:
        low, high = schema.get("minContains", 1), schema.get("maxContains")
        count = sum(self.fits(schema["contains"], v) for v in value)
        if count < low:
            return FirstError("contains", low, value)
        return FirstError("maxContains", high, value) if high is not None and count > high else None

    def _check_fields(self, schema: dict[str, Any], value: dict[Any, Any]) -> FirstError | None:
        plan = self._plans.get(id(schema))
        if plan is None:
            plan = self._plans[id(schema)] = [self._plan_field(n, s) for n, s in schema["properties"].items()]
        for name, sub, rules_by_type in plan:
            if name in value:
                part = value[name]
                rules = rules_by_type.get(type(part))
                if rules is None:
                    rules = (self.find,)
                for rule in rules:  # as `find` does, without a call for each field
                    error = rule(sub, part)
                    if error is not None:
                        error.parts.append(name)
                        return error
        return None

    def _plan_field(self, name: str, schema: Any) -> tuple[str, Any, dict[type, tuple[Rule, ...]]]:
        return name, schema, self._rules.get(id(schema)) or self._prepare(schema) if isinstance(schema, dict) else {}

    def _check_further_fields(self, schema: dict[str, Any], value: dict[str, Any]) -> FirstError | None:
        fields, patterns = schema.get("properties", {}), schema.get("patternProperties") or {}
        more = schema.get("additionalProperties", True)
        test = self.tests.get(id(more))
        start = 0 if fields or patterns else self._find_start(more, value)
        items = convert_keys(value).items()
        for name, field_value in islice(items, start, None) if start else items:
            is_matched = False
            for pattern, sub in patterns.items():
                if compile_pattern(pattern).search(name) is not None:
                    is_matched = True
                    error = self.find(sub, field_value)
                    if error is not None:
                        return error.add_part(name)
            if is_matched or name in fields or more is True or (test is not None and test(field_value)):
                continue
            if more is False:
                return FirstError("additionalProperties", name, value)
            error = self.find(more, field_value)
            if error is not None:
                return error.add_part(name)
        return None

    def _check_names(self, schema: dict[str, Any], value: dict[str, Any]) -> FirstError | None:
        for name in convert_keys(value):
            if self.find(schema["propertyNames"], name) is not None:
                return FirstError("propertyNames", schema["propertyNames"], name)
        return None

    def _check_dependent(self, schema: dict[str, Any], value: dict[str, Any]) -> FirstError | None:
        for name, needed_names in schema.get("dependentRequired", {}).items():
            if name in value:
                for other in needed_names:
                    if other not in value:
                        return FirstError("required", other, value)
        for name, sub in schema.get("dependentSchemas", {}).items():
            error = self.find(sub, value) if name in value else None
            if error is not None:
                return error
        return None


_OF_TEXT = frozenset({"minLength", "maxLength", "pattern", "format"})
_OF_NUMBER = frozenset({*BOUNDS, "multipleOf"})
_NAMES: Mapping[type, frozenset[str]] = {
    str: frozenset({"string"}),
    bool: frozenset({"boolean"}),
    type(None): frozenset({"null"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
}


def _report_no_branch(branches: UnionBranches, key: str, options: Any, value: Any) -> FirstError:
    tag = branches.tag
    if tag is None or not isinstance(value, dict):
        return FirstError(key, options, value)
    return (
        FirstError("enum", list(branches.tags), value[tag]).add_part(tag)
        if tag in value
        else FirstError("required", tag, value)
    )
