"""JSON Schema -> formulas: what a schema says of each of the six JSON types, in any of the dialects that are read.

A Shape is a schema at one place of a document. Its formula for a type is made when it is first asked for, so a
recursive schema is as finite as its text. Nothing here decides; `solver` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphbus_core.contracts.inclusion.formulas.documents import Document, Library
from graphbus_core.contracts.inclusion.formulas.evaluated import Evaluation
from graphbus_core.contracts.inclusion.formulas.keywords import (
    at_most,
    is_json,
    least,
    map_in,
    number_atoms,
    one_of,
    others,
    schemas_in,
    tuple_items,
    whole,
)
from graphbus_core.contracts.inclusion.formulas.logic import (
    ARRAY,
    BOOLEAN,
    NULL,
    NUMBER,
    OBJECT,
    STRING,
    Formula,
    conj,
    disj,
    kind_of,
    most,
    neg,
    number,
)
from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.dialects import DRAFT7, DRAFT2019, DRAFT2020
from graphbus_core.contracts.reading.walk import REFERENCES
from graphbus_core.contracts.values import formats
from graphbus_core.contracts.values.budget import Budget, GivesUp

_TYPES = {"null": NULL, "boolean": BOOLEAN, "number": NUMBER, "integer": NUMBER, "string": STRING}
_TYPES |= {"array": ARRAY, "object": OBJECT}
_ONLY_A_REF = frozenset(
    {"$ref", "$defs", "definitions", "$schema", "$comment", "title", "description", "default", "examples"}
)


class Shape:
    """A schema at one place, by its number; `text` is the schema as written, `formulas` what it says of each type."""

    __slots__ = ("document", "formulas", "number", "text")

    def __init__(self, number: int, text: Any, document: Document) -> None:
        self.number, self.text, self.document = number, text, document
        self.formulas: list[Formula] = [None] * 6


class Shapes:
    """All shapes of one decision. `formats` are those that count."""

    def __init__(self, budget: Budget, formats: frozenset[str] = frozenset()) -> None:
        self.budget = budget
        self._formats = formats
        self.library = Library(budget)
        self._own = Document({}, dialects.NEWEST, budget)
        self._all: list[Shape] = []
        self._by_place: dict[tuple[int, int], Shape] = {}
        self._kept: list[Any] = []  # texts made here, kept alive so that ids stay unique
        self.top = self._own_signed(True)
        self.bottom = self.top ^ 1

    def __getitem__(self, signed: int) -> Shape:
        return self._all[signed >> 1]

    def document(self, schema: Any, draft: int) -> int:
        """The shape of a whole document."""
        return self.place(schema, Document(schema, draft, self.budget))

    def place(self, text: Any, document: Document) -> int:
        """The shape of a schema in a document."""
        if text is True or text is False or (isinstance(text, dict) and not text):
            return 1 if text is False else 0
        # By identity, not by value: equal texts in two documents may refer to different things, and a large text would
        # be compared again at every place. A text is kept alive by its document, so an id is never given twice.
        key = (id(document), id(text))
        shape = self._by_place.get(key)
        if shape is None:
            if isinstance(text, dict) and "$ref" in text and (document.draft <= DRAFT7 or text.keys() <= _ONLY_A_REF):
                signed = self._place_of_reference(text, document)
                if signed is not None:
                    return signed
            self.budget.take()
            shape = self._by_place[key] = Shape(len(self._all), text, document)
            self._all.append(shape)
        return shape.number * 2

    def _place_of_reference(self, text: Any, document: Document) -> int | None:
        """The shape that a bare reference stands for, so that a goal is known again whoever refers to it."""
        try:
            self.library.refuse_loops(text, document)
            where, target = self.library.follow(document, text, "$ref")
        except GivesUp as e:
            if e.kind == "budget":
                raise
            return None  # said again when it is needed, if it is
        return self.place(target, where)

    def const(self, value: Any) -> int:
        """The shape that takes one value alone."""
        return self._own_signed({"const": value})

    def any_of(self, signed: list[int]) -> int:
        """The shape that takes what one of the others takes."""
        if len(signed) == 1:
            return signed[0]
        made = self._own_signed({"x-any": signed})
        formula = ("or", [("ref", s) for s in signed])
        self[made].formulas = [formula] * 6
        return made

    def _own_signed(self, text: Any) -> int:
        self._kept.append(text)
        shape = Shape(len(self._all), text, self._own)
        self._all.append(shape)
        return shape.number * 2

    def values(self, signed: int) -> list[Any] | None:
        """The values of a `const` or an `enum`, where a positive shape has one."""
        text = self[signed].text
        if signed & 1 or not isinstance(text, dict):
            return None
        draft = self[signed].document.draft
        if "$ref" in text and draft <= DRAFT7:
            return None
        if "const" in text and dialects.has("const", draft):
            return [text["const"]] if is_json(text["const"]) else []
        found = text.get("enum")
        return [v for v in found if is_json(v)] if isinstance(found, list) else None

    def formula(self, signed: int, kind: int) -> Formula:
        """What a signed shape says of values of a type."""
        shape = self._all[signed >> 1]
        found = shape.formulas[kind]
        if found is None:
            self.budget.take(2)
            found = shape.formulas[kind] = self._formula(shape, kind)
        return neg(found) if signed & 1 else found

    # ---- keywords

    def _formula(self, shape: Shape, kind: int) -> Formula:
        text, document = shape.text, shape.document
        if text is True or text is False:
            return text
        if not isinstance(text, dict):
            raise GivesUp("unsupported", f"{str(text)[:80]!r} stands where a schema is wanted")
        draft = document.draft
        if "$ref" in text and draft <= DRAFT7:
            return self._reference(text, document, "$ref")
        parts: list[Formula] = [self._type(text["type"], kind)] if "type" in text else []
        if False in parts:
            return False
        if "enum" in text:
            parts.append(self._among(text["enum"], kind))
        if "const" in text and dialects.has("const", draft):
            parts.append(self._among([text["const"]], kind))
        parts.extend(self._combined(text, document))
        if kind == NUMBER:
            parts.extend(number_atoms(text, draft))
        elif kind == STRING:
            parts.extend(self._strings(text))
        elif kind == ARRAY:
            parts.extend(self._arrays(text, document))
        elif kind == OBJECT:
            parts.extend(self._objects(text, document))
        return conj(parts)

    def _type(self, given: Any, kind: int) -> Formula:
        names = [given] if isinstance(given, str) else given
        if not isinstance(names, list) or any(n not in _TYPES for n in names if isinstance(n, str)):
            raise GivesUp("unsupported", f"type {str(given)[:80]!r} is not a JSON type")
        fitting = [n for n in names if isinstance(n, str) and _TYPES[n] == kind]
        if not all(isinstance(n, str) for n in names):
            raise GivesUp("unsupported", "schemas as types are of a dialect that is not read here")
        if not fitting:
            return False
        return ("mul", number(1)) if fitting == ["integer"] else True

    def _among(self, values: Any, kind: int) -> Formula:
        if not isinstance(values, list):
            raise GivesUp("unsupported", "enum wants a list")
        mine = [v for v in values if kind_of(v) == kind and is_json(v)]
        if not mine:
            return False
        # There is one null and the list holds it.
        if kind == NULL:
            return True
        if kind == NUMBER:
            return ("in", frozenset(map(number, mine)))
        if kind in (BOOLEAN, STRING):
            return ("in", frozenset(mine))
        return disj(self._exactly(v) for v in mine)

    def _exactly(self, value: Any) -> Formula:
        if isinstance(value, list):
            items = [("at", i, self.const(v)) for i, v in enumerate(value)]
            return conj([("minlen", len(value)), ("maxlen", len(value)), *items])
        fields = [p for k, v in value.items() for p in (("has", k), ("prop", k, self.const(v)))]
        return conj([*fields, ("maxprops", len(value))])

    def ref(self, text: Any, document: Document) -> Formula:
        """A schema as a part of a formula: that it holds of the same value."""
        signed = self.place(text, document)
        return True if signed == self.top else False if signed == self.bottom else ("ref", signed)

    def _reference(self, text: Any, document: Document, key: str) -> Formula:
        where, target = self.library.follow(document, text, key)
        self.library.refuse_loops(text, document)
        return self.ref(target, where)

    def _combined(self, text: dict[str, Any], document: Document) -> Iterator[Formula]:
        draft = document.draft
        for key in REFERENCES:
            if key in text and (key == "$ref" or draft == (DRAFT2020 if key == "$dynamicRef" else DRAFT2019)):
                yield self._reference(text, document, key)
        if "allOf" in text:
            yield conj(self.ref(s, document) for s in schemas_in(text, "allOf"))
        if "anyOf" in text:
            yield disj(self.ref(s, document) for s in schemas_in(text, "anyOf"))
        if "oneOf" in text:
            yield one_of([self.ref(s, document) for s in schemas_in(text, "oneOf")])
        if "not" in text:
            yield neg(self.ref(text["not"], document))
        if "if" in text and dialects.has("if", draft) and ("then" in text or "else" in text):
            condition = self.ref(text["if"], document)
            yield disj([neg(condition), self.ref(text.get("then", True), document)])
            yield disj([condition, self.ref(text.get("else", True), document)])

    # ---- strings

    def _strings(self, text: dict[str, Any]) -> Iterator[Formula]:
        if "minLength" in text:
            yield least("minlen", text["minLength"])
        if "maxLength" in text:
            yield at_most("maxlen", text["maxLength"])
        if "pattern" in text:
            if not isinstance(text["pattern"], str):
                raise GivesUp("unsupported", "pattern wants a text")
            yield ("pat", text["pattern"])
        name = text.get("format")
        if isinstance(name, str) and name in self._formats and formats.known(name):
            yield ("fmt", name)

    # ---- arrays

    def _arrays(self, text: dict[str, Any], document: Document) -> Iterator[Formula]:
        draft = document.draft
        if "minItems" in text:
            yield least("minlen", text["minItems"])
        if "maxItems" in text:
            yield at_most("maxlen", text["maxItems"])
        if text.get("uniqueItems") is True:
            yield ("uniq",)
        prefix, rest = tuple_items(text, draft)
        for i, item in enumerate(prefix):
            signed = self.place(item, document)
            if signed != self.top:
                yield ("at", i, signed)
        signed = self.place(rest, document)
        if signed == self.bottom:
            yield ("maxlen", len(prefix))
        elif signed != self.top:
            yield ("all", len(prefix), signed)
        if "contains" in text and dialects.has("contains", draft):
            signed = self.place(text["contains"], document)
            counted = dialects.has("minContains", draft)
            low = whole(text["minContains"], "minContains") if counted and "minContains" in text else 1
            if low > 0:
                yield ("count", 0, signed, low)
            if counted and "maxContains" in text:
                yield most(0, signed, whole(text["maxContains"], "maxContains", down=True))
        if "unevaluatedItems" in text and dialects.has("unevaluatedItems", draft):
            yield Evaluation(self).items(text, document)

    # ---- objects

    def _objects(self, text: dict[str, Any], document: Document) -> Iterator[Formula]:
        yield from self._sizes(text)
        yield from self._fields(text, document)
        if "propertyNames" in text and dialects.has("propertyNames", document.draft):
            signed = self.place(text["propertyNames"], document)
            if signed != self.top:  # where no name is allowed, no value need be found for one
                yield ("maxprops", 0) if signed == self.bottom else ("names", signed)
        yield from self._dependent(text, document)
        if "unevaluatedProperties" in text and dialects.has("unevaluatedProperties", document.draft):
            yield Evaluation(self).properties(text, document)

    def _sizes(self, text: dict[str, Any]) -> Iterator[Formula]:
        required = text.get("required", [])
        if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
            raise GivesUp("unsupported", "required wants a list of names")
        for name in required:
            yield ("has", name)
        if "minProperties" in text:
            yield least("minprops", text["minProperties"])
        if "maxProperties" in text:
            yield at_most("maxprops", text["maxProperties"])

    def _fields(self, text: dict[str, Any], document: Document) -> Iterator[Formula]:
        fields, patterns = map_in(text, "properties"), map_in(text, "patternProperties")
        for name, field in fields.items():
            signed = self.place(field, document)
            if signed == self.bottom:
                yield ("lacks", name)
            elif signed != self.top:
                yield ("prop", name, signed)
        for pattern, field in patterns.items():
            signed = self.place(field, document)
            if signed != self.top:
                yield ("each", (((pattern, True),), frozenset()), signed)
        signed = self.place(text.get("additionalProperties", True), document)
        if signed != self.top:
            yield ("each", others(frozenset(fields), patterns), signed)

    def _dependent(self, text: dict[str, Any], document: Document) -> Iterator[Formula]:
        rules: list[tuple[str, Any]] = []
        if document.draft <= DRAFT7:
            rules += map_in(text, "dependencies").items()
        else:
            rules += map_in(text, "dependentRequired").items()
            rules += map_in(text, "dependentSchemas").items()
        for name, rule in rules:
            if isinstance(rule, list):
                yield disj([("lacks", name), conj(("has", n) for n in rule)])
            else:
                yield disj([("lacks", name), self.ref(rule, document)])
