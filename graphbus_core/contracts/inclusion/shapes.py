"""JSON Schema -> formulas: what a schema says of each of the six JSON types, in any of the dialects that are read.

A Shape is a schema at one place of a document. Its formula for a type is made when it is first asked for, so a
recursive schema is as finite as its text. Nothing here decides; `solver` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Protocol

from graphbus_core.contracts.inclusion.formulas import (
    ARRAY,
    BOOLEAN,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Formula,
    build_maximum,
    build_minimum,
    build_number_atoms,
    build_one_of,
    conj,
    disj,
    exclude_names,
    find_kind,
    is_json,
    limit_items,
    negate,
    parse_number,
    read_map,
    read_schema_list,
    read_whole_number,
    split_tuple_items,
)
from graphbus_core.contracts.inclusion.references import DocumentLibrary, SchemaDocument
from graphbus_core.contracts.parsing import json_schema
from graphbus_core.contracts.parsing.json_schema import DRAFT7, DRAFT2019, DRAFT2020, REFERENCES
from graphbus_core.contracts.validation import formats
from graphbus_core.contracts.verdict import Budget, Inconclusive

# Which properties or items a schema has evaluated: what `unevaluatedProperties` and `unevaluatedItems` look at.
#
# What is evaluated depends on the value: a branch of `anyOf` that fails has evaluated nothing. So a schema is told
# apart into cases, each with the condition under which it holds, and the keyword becomes an alternative of all of them.


MAX_CASES = 256  # ways in which in-place applicators may succeed; each `anyOf` branch doubles them
MAX_DEPTH = 20  # references that are looked through


class EvaluatedParts:
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

    def union(self, other: EvaluatedParts) -> EvaluatedParts:
        """Evaluated by one or the other."""
        return EvaluatedParts(
            self.every or other.every,
            self.names | other.names,
            self.patterns | other.patterns,
            max(self.prefix, other.prefix),
            self.contained | other.contained,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EvaluatedParts) and all(getattr(self, n) == getattr(other, n) for n in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.every, self.names, self.patterns, self.prefix, self.contained))


NOTHING_SEEN = EvaluatedParts()
Case = tuple[Formula, EvaluatedParts]
"""A condition, and what is evaluated where it holds."""


class ShapeRegistry(Protocol):
    """Who gives a schema its number and its formula."""

    top: int
    bottom: int
    library: DocumentLibrary

    def register(self, text: Any, document: SchemaDocument) -> int: ...

    def register_any_of(self, signed: list[int]) -> int: ...

    def build_ref(self, text: Any, document: SchemaDocument) -> Formula: ...


class UnevaluatedKeywords:
    """`unevaluatedItems` and `unevaluatedProperties` as formulas."""

    def __init__(self, places: ShapeRegistry) -> None:
        self._places = places

    def build_properties(self, text: dict[str, Any], document: SchemaDocument) -> Formula:
        """What `unevaluatedProperties` says: in each case, of the names that this case has not evaluated."""
        rule = self._places.register(text["unevaluatedProperties"], document)
        options = []
        for condition, evaluated in self._list_cases(text, document, OBJECT, own=False, depth=0):
            free = evaluated.every or rule == self._places.top
            options.append(
                conj([condition, True if free else ("each", exclude_names(evaluated.names, evaluated.patterns), rule)])
            )
        return disj(options)

    def build_items(self, text: dict[str, Any], document: SchemaDocument) -> Formula:
        """What `unevaluatedItems` says: in each case, of the items after those that this case has evaluated."""
        top, bottom = self._places.top, self._places.bottom
        rule = self._places.register(text["unevaluatedItems"], document)
        options = []
        for condition, evaluated in self._list_cases(text, document, ARRAY, own=False, depth=0):
            # `contains` evaluates the items that satisfy it, wherever they stand: each item fits it, or the rule.
            allowed = [rule, *sorted(evaluated.contained)]
            if evaluated.every or top in allowed:
                options.append(condition)
                continue
            signed = self._places.register_any_of([s for s in allowed if s != bottom] or [bottom])
            limit = ("maxlen", evaluated.prefix) if signed == bottom else ("all", evaluated.prefix, signed)
            options.append(condition if signed == top else conj([condition, limit]))
        return disj(options)

    def _list_cases(self, text: Any, document: SchemaDocument, kind: int, *, own: bool, depth: int) -> list[Case]:
        """The ways in which a schema, given that it holds, may have evaluated properties or items.

        Together they cover every value. `own`: its own unevaluated* counts, too; not for the one that is being asked.
        """
        if not isinstance(text, dict):
            return [(True, NOTHING_SEEN)]
        if depth > MAX_DEPTH:
            raise Inconclusive("reference", "unevaluated* looks through references that do not end")

        cases: list[Case] = [(True, self._collect_evaluated(text, document, kind, own=own))]

        def list_inner_cases(sub: Any, where: SchemaDocument = document) -> list[Case]:
            return self._list_cases(sub, where, kind, own=True, depth=depth + 1)

        def add_optional_cases(sub: Any, condition: Formula) -> None:
            nonlocal cases
            inner_cases = list_inner_cases(sub)
            # One that evaluates nothing need not be told apart: it would double the cases for no difference.
            if any(e != NOTHING_SEEN for _, e in inner_cases):
                failed = [(negate(condition), NOTHING_SEEN)]
                cases = _combine_cases(cases, [*_restrict_cases(condition, inner_cases), *failed])

        for key in REFERENCES:
            if key in text:
                where, target = self._places.library.follow(document, text, key)
                cases = _combine_cases(cases, list_inner_cases(target, where))
        for sub in text.get("allOf", ()):
            cases = _combine_cases(cases, list_inner_cases(sub))
        for sub in (*text.get("anyOf", ()), *text.get("oneOf", ())):
            add_optional_cases(sub, self._places.build_ref(sub, document))
        if "if" in text:
            condition = self._places.build_ref(text["if"], document)
            passed = _restrict_cases(condition, list_inner_cases(text["if"]))
            if "then" in text:
                passed = _join_cases(passed, list_inner_cases(text["then"]))
            failed = list_inner_cases(text["else"]) if "else" in text else [(True, NOTHING_SEEN)]
            cases = _combine_cases(cases, [*passed, *_restrict_cases(negate(condition), failed)])
        if kind == OBJECT:
            for name, sub in read_map(text, "dependentSchemas").items():
                add_optional_cases(sub, ("has", name))
        return cases

    def _collect_evaluated(
        self, text: dict[str, Any], document: SchemaDocument, kind: int, *, own: bool
    ) -> EvaluatedParts:
        """What a schema's own keywords evaluate."""
        if kind == OBJECT:
            every = "additionalProperties" in text or (own and "unevaluatedProperties" in text)
            return EvaluatedParts(
                every, frozenset(read_map(text, "properties")), frozenset(read_map(text, "patternProperties"))
            )
        draft = document.draft
        prefix, _ = split_tuple_items(text, draft)
        rest = "items" in text and (draft >= DRAFT2020 or not isinstance(text["items"], list))
        rest = rest or (draft < DRAFT2020 and isinstance(text.get("items"), list) and "additionalItems" in text)
        every = rest or (own and "unevaluatedItems" in text)
        contained = frozenset[int]()
        if draft >= DRAFT2020 and "contains" in text:
            contained = frozenset([self._places.register(text["contains"], document)])
        return EvaluatedParts(every, prefix=len(prefix), contained=contained)


def _restrict_cases(condition: Formula, cases: list[Case]) -> list[Case]:
    return [(conj([condition, c]), e) for c, e in cases]


def _join_cases(cases: list[Case], more: list[Case]) -> list[Case]:
    return [(conj([c, d]), e.union(f)) for (c, e), (d, f) in product(cases, more)]


def _combine_cases(cases: list[Case], more: list[Case]) -> list[Case]:
    """Every case of one with every case of the other. Raises Inconclusive where they become too many to be tried."""
    if len(cases) * len(more) > MAX_CASES:
        raise Inconclusive("budget", "unevaluated* has too many cases to tell apart")
    return _join_cases(cases, more)


_TYPES = {"null": NULL, "boolean": BOOLEAN, "number": NUMBER, "integer": NUMBER, "string": STRING}
_TYPES |= {"array": ARRAY, "object": OBJECT}
_ONLY_A_REF = frozenset(
    {"$ref", "$defs", "definitions", "$schema", "$comment", "title", "description", "default", "examples"}
)


class Shape:
    """A schema at one place, by its number; `text` is the schema as written, `formulas` what it says of each type."""

    __slots__ = ("document", "formulas", "number", "text")

    def __init__(self, number: int, text: Any, document: SchemaDocument) -> None:
        self.number, self.text, self.document = number, text, document
        self.formulas: list[Formula] = [None] * 6


class Shapes:
    """All shapes of one decision. `formats` are those that count."""

    def __init__(self, budget: Budget, formats: frozenset[str] = frozenset()) -> None:
        self.budget = budget
        self._formats = formats
        self.library = DocumentLibrary(budget)
        self._own = SchemaDocument({}, json_schema.NEWEST, budget)
        self._all: list[Shape] = []
        self._by_place: dict[tuple[int, int], Shape] = {}
        self._kept: list[Any] = []  # texts made here, kept alive so that ids stay unique
        self.top = self._register_own(True)
        self.bottom = self.top ^ 1

    def __getitem__(self, signed: int) -> Shape:
        return self._all[signed >> 1]

    def register_document(self, schema: Any, draft: int) -> int:
        """The shape of a whole document."""
        return self.register(schema, SchemaDocument(schema, draft, self.budget))

    def register(self, text: Any, document: SchemaDocument) -> int:
        """The shape of a schema in a document."""
        if text is True or text is False or (isinstance(text, dict) and not text):
            return 1 if text is False else 0
        # By identity, not by value: equal texts in two documents may refer to different things, and a large text would
        # be compared again at every place. A text is kept alive by its document, so an id is never given twice.
        key = (id(document), id(text))
        shape = self._by_place.get(key)
        if shape is None:
            if isinstance(text, dict) and "$ref" in text and (document.draft <= DRAFT7 or text.keys() <= _ONLY_A_REF):
                signed = self._register_reference(text, document)
                if signed is not None:
                    return signed
            self.budget.spend()
            shape = self._by_place[key] = Shape(len(self._all), text, document)
            self._all.append(shape)
        return shape.number * 2

    def _register_reference(self, text: Any, document: SchemaDocument) -> int | None:
        """The shape that a bare reference stands for, so that a goal is known again whoever refers to it."""
        try:
            self.library.refuse_loops(text, document)
            where, target = self.library.follow(document, text, "$ref")
        except Inconclusive as e:
            if e.kind == "budget":
                raise
            return None  # said again when it is needed, if it is
        return self.register(target, where)

    def register_constant(self, value: Any) -> int:
        """The shape that takes one value alone."""
        return self._register_own({"const": value})

    def register_any_of(self, signed: list[int]) -> int:
        """The shape that takes what one of the others takes."""
        if len(signed) == 1:
            return signed[0]
        union_shape = self._register_own({"x-any": signed})
        formula = ("or", [("ref", s) for s in signed])
        self[union_shape].formulas = [formula] * 6
        return union_shape

    def _register_own(self, text: Any) -> int:
        self._kept.append(text)
        shape = Shape(len(self._all), text, self._own)
        self._all.append(shape)
        return shape.number * 2

    def list_values(self, signed: int) -> list[Any] | None:
        """The values of a `const` or an `enum`, where a positive shape has one."""
        text = self[signed].text
        if signed & 1 or not isinstance(text, dict):
            return None
        draft = self[signed].document.draft
        if "$ref" in text and draft <= DRAFT7:
            return None
        if "const" in text and json_schema.has_keyword("const", draft):
            return [text["const"]] if is_json(text["const"]) else []
        enum = text.get("enum")
        return [v for v in enum if is_json(v)] if isinstance(enum, list) else None

    def find_formula(self, signed: int, kind: int) -> Formula:
        """What a signed shape says of values of a type."""
        shape = self._all[signed >> 1]
        known_formula = shape.formulas[kind]
        if known_formula is None:
            self.budget.spend(2)
            known_formula = shape.formulas[kind] = self._build_formula(shape, kind)
        return negate(known_formula) if signed & 1 else known_formula

    # ---- keywords

    def _build_formula(self, shape: Shape, kind: int) -> Formula:
        text, document = shape.text, shape.document
        if text is True or text is False:
            return text
        if not isinstance(text, dict):
            raise Inconclusive("unsupported", f"{str(text)[:80]!r} stands where a schema is wanted")
        draft = document.draft
        if "$ref" in text and draft <= DRAFT7:
            return self._build_reference(text, document, "$ref")
        parts: list[Formula] = [self._build_type(text["type"], kind)] if "type" in text else []
        if False in parts:
            return False
        if "enum" in text:
            parts.append(self._build_enum(text["enum"], kind))
        if "const" in text and json_schema.has_keyword("const", draft):
            parts.append(self._build_enum([text["const"]], kind))
        parts.extend(self._build_combined(text, document))
        if kind == NUMBER:
            parts.extend(build_number_atoms(text, draft))
        elif kind == STRING:
            parts.extend(self._build_string_atoms(text))
        elif kind == ARRAY:
            parts.extend(self._build_array_atoms(text, document))
        elif kind == OBJECT:
            parts.extend(self._build_object_atoms(text, document))
        return conj(parts)

    def _build_type(self, types: Any, kind: int) -> Formula:
        names = [types] if isinstance(types, str) else types
        if not isinstance(names, list) or any(n not in _TYPES for n in names if isinstance(n, str)):
            raise Inconclusive("unsupported", f"type {str(types)[:80]!r} is not a JSON type")
        fitting = [n for n in names if isinstance(n, str) and _TYPES[n] == kind]
        if not all(isinstance(n, str) for n in names):
            raise Inconclusive("unsupported", "schemas as types are of a dialect that is not read here")
        if not fitting:
            return False
        return ("mul", parse_number(1)) if fitting == ["integer"] else True

    def _build_enum(self, values: Any, kind: int) -> Formula:
        if not isinstance(values, list):
            raise Inconclusive("unsupported", "enum wants a list")
        mine = [v for v in values if find_kind(v) == kind and is_json(v)]
        if not mine:
            return False
        # There is one null and the list holds it.
        if kind == NULL:
            return True
        if kind == NUMBER:
            return ("in", frozenset(map(parse_number, mine)))
        if kind in (BOOLEAN, STRING):
            return ("in", frozenset(mine))
        return disj(self._build_constant(v) for v in mine)

    def _build_constant(self, value: Any) -> Formula:
        if isinstance(value, list):
            items = [("at", i, self.register_constant(v)) for i, v in enumerate(value)]
            return conj([("minlen", len(value)), ("maxlen", len(value)), *items])
        fields = [p for k, v in value.items() for p in (("has", k), ("prop", k, self.register_constant(v)))]
        return conj([*fields, ("maxprops", len(value))])

    def build_ref(self, text: Any, document: SchemaDocument) -> Formula:
        """A schema as a part of a formula: that it holds of the same value."""
        signed = self.register(text, document)
        return True if signed == self.top else False if signed == self.bottom else ("ref", signed)

    def _build_reference(self, text: Any, document: SchemaDocument, key: str) -> Formula:
        where, target = self.library.follow(document, text, key)
        self.library.refuse_loops(text, document)
        return self.build_ref(target, where)

    def _build_combined(self, text: dict[str, Any], document: SchemaDocument) -> Iterator[Formula]:
        draft = document.draft
        for key in REFERENCES:
            if key in text and (key == "$ref" or draft == (DRAFT2020 if key == "$dynamicRef" else DRAFT2019)):
                yield self._build_reference(text, document, key)
        if "allOf" in text:
            yield conj(self.build_ref(s, document) for s in read_schema_list(text, "allOf"))
        if "anyOf" in text:
            yield disj(self.build_ref(s, document) for s in read_schema_list(text, "anyOf"))
        if "oneOf" in text:
            yield build_one_of([self.build_ref(s, document) for s in read_schema_list(text, "oneOf")])
        if "not" in text:
            yield negate(self.build_ref(text["not"], document))
        if "if" in text and json_schema.has_keyword("if", draft) and ("then" in text or "else" in text):
            condition = self.build_ref(text["if"], document)
            yield disj([negate(condition), self.build_ref(text.get("then", True), document)])
            yield disj([condition, self.build_ref(text.get("else", True), document)])

    # ---- strings

    def _build_string_atoms(self, text: dict[str, Any]) -> Iterator[Formula]:
        if "minLength" in text:
            yield build_minimum("minlen", text["minLength"])
        if "maxLength" in text:
            yield build_maximum("maxlen", text["maxLength"])
        if "pattern" in text:
            if not isinstance(text["pattern"], str):
                raise Inconclusive("unsupported", "pattern wants a text")
            yield ("pat", text["pattern"])
        name = text.get("format")
        if isinstance(name, str) and name in self._formats and formats.is_known(name):
            yield ("fmt", name)

    # ---- arrays

    def _build_array_atoms(self, text: dict[str, Any], document: SchemaDocument) -> Iterator[Formula]:
        draft = document.draft
        if "minItems" in text:
            yield build_minimum("minlen", text["minItems"])
        if "maxItems" in text:
            yield build_maximum("maxlen", text["maxItems"])
        if text.get("uniqueItems") is True:
            yield ("uniq",)
        prefix, rest = split_tuple_items(text, draft)
        for i, item in enumerate(prefix):
            signed = self.register(item, document)
            if signed != self.top:
                yield ("at", i, signed)
        signed = self.register(rest, document)
        if signed == self.bottom:
            yield ("maxlen", len(prefix))
        elif signed != self.top:
            yield ("all", len(prefix), signed)
        if "contains" in text and json_schema.has_keyword("contains", draft):
            signed = self.register(text["contains"], document)
            counted = json_schema.has_keyword("minContains", draft)
            low = read_whole_number(text["minContains"], "minContains") if counted and "minContains" in text else 1
            if low > 0:
                yield ("count", 0, signed, low)
            if counted and "maxContains" in text:
                yield limit_items(0, signed, read_whole_number(text["maxContains"], "maxContains", down=True))
        if "unevaluatedItems" in text and json_schema.has_keyword("unevaluatedItems", draft):
            yield UnevaluatedKeywords(self).build_items(text, document)

    # ---- objects

    def _build_object_atoms(self, text: dict[str, Any], document: SchemaDocument) -> Iterator[Formula]:
        yield from self._build_size_atoms(text)
        yield from self._build_field_atoms(text, document)
        if "propertyNames" in text and json_schema.has_keyword("propertyNames", document.draft):
            signed = self.register(text["propertyNames"], document)
            if signed != self.top:  # where no name is allowed, no value need be found for one
                yield ("maxprops", 0) if signed == self.bottom else ("names", signed)
        yield from self._build_dependent_atoms(text, document)
        if "unevaluatedProperties" in text and json_schema.has_keyword("unevaluatedProperties", document.draft):
            yield UnevaluatedKeywords(self).build_properties(text, document)

    def _build_size_atoms(self, text: dict[str, Any]) -> Iterator[Formula]:
        required = text.get("required", [])
        if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
            raise Inconclusive("unsupported", "required wants a list of names")
        for name in required:
            yield ("has", name)
        if "minProperties" in text:
            yield build_minimum("minprops", text["minProperties"])
        if "maxProperties" in text:
            yield build_maximum("maxprops", text["maxProperties"])

    def _build_field_atoms(self, text: dict[str, Any], document: SchemaDocument) -> Iterator[Formula]:
        fields, patterns = read_map(text, "properties"), read_map(text, "patternProperties")
        for name, field in fields.items():
            signed = self.register(field, document)
            if signed == self.bottom:
                yield ("lacks", name)
            elif signed != self.top:
                yield ("prop", name, signed)
        for pattern, field in patterns.items():
            signed = self.register(field, document)
            if signed != self.top:
                yield ("each", (((pattern, True),), frozenset()), signed)
        signed = self.register(text.get("additionalProperties", True), document)
        if signed != self.top:
            yield ("each", exclude_names(frozenset(fields), patterns), signed)

    def _build_dependent_atoms(self, text: dict[str, Any], document: SchemaDocument) -> Iterator[Formula]:
        rules: list[tuple[str, Any]] = []
        if document.draft <= DRAFT7:
            rules += read_map(text, "dependencies").items()
        else:
            rules += read_map(text, "dependentRequired").items()
            rules += read_map(text, "dependentSchemas").items()
        for name, rule in rules:
            if isinstance(rule, list):
                yield disj([("lacks", name), conj(("has", n) for n in rule)])
            else:
                yield disj([("lacks", name), self.build_ref(rule, document)])
