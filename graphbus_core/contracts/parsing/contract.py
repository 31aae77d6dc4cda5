"""A contract: what a value of one side of a method or a topic may be. Held as JSON Schema 2020-12.

The schema *is* the type representation: every type that can stand in a contract has one form there (`forms`), and
older dialects are rewritten on reading. Immutable by convention: nobody changes the schema of a contract.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any

from graphbus_core.contracts.parsing import json_schema
from graphbus_core.contracts.parsing.json_schema import (
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    follow_pointer,
    is_same_json,
    iter_in_place,
    map_subschemas,
)
from graphbus_core.contracts.parsing.type_forms import OPAQUE, TYPE_FORMATS
from graphbus_core.contracts.parsing.unions import read_unions
from graphbus_core.errors import ContractError

# How the two ends of a link read a contract (design §4).
#
# A producer sends what it declares and nothing else: its objects are closed wherever they declare fields.
# A consumer ignores what it does not declare: its objects are open. Both give plain JSON Schema 2020-12 again, so the
# same decision procedure and the same independent validator serve links and plain schemas.
#
# Only places where closing narrows and opening widens are touched: nothing under `not`, `if` or `contains`. So the
# closed reading always lies within the contract, and the contract within the open reading: a link is reflexive.


Rewrite = Callable[[Any], Any]
_DECLARES = ("properties", "patternProperties")
# Schemas of a whole value (a field, an item), and those in place, of the same value as the schema around them. What is
# in neither is not read: closing would widen it. `oneOf`, `if` and references are not read like the others.
_WHOLE = frozenset({"properties", "patternProperties", "items", "prefixItems", "additionalProperties"})
_WHOLE |= {"unevaluatedItems", "unevaluatedProperties"}
_SAME = frozenset({"allOf", "anyOf", "then", "else", "dependentSchemas"})
_ELSEWHERE = _SAME | {"oneOf", "if", "$ref", "$dynamicRef"}
_READ = _WHOLE | _ELSEWHERE
_MAX_STEPS = 20  # references that lead to references, schemas in schemas of one value


def _return_unchanged(schema: Any) -> Any:
    return schema


def close_schema(schema: Any) -> Any:
    """The producer's reading: what is sent is what is declared."""
    return LinkReader(closing=True).read_document(schema)


def open_schema(schema: Any) -> Any:
    """The consumer's reading: what is not declared is ignored."""
    return LinkReader(closing=False).read_document(schema)


class LinkReader:
    """One walk over a document; `$defs` are copied under a name of their own, so that other uses keep their meaning.

    Parts of one document may be read one after another: a part that was read is not read again. `before` rewrites a
    schema and all within it, before it is read.
    """

    def __init__(self, *, closing: bool, document: Any = None, before: Rewrite | None = None) -> None:
        self._here, self._closing = (_close_object if closing else _open_object), closing
        self._before = before or _return_unchanged
        self._document: Any = document
        self._made: dict[str, Any] = {}
        self._names: dict[tuple[str, bool], str] = {}
        self._joined: dict[frozenset[int], tuple[dict[str, str], Any]] = {}  # the schemas too: their ids stay their own
        self._images: dict[tuple[int, bool], tuple[Any, Any]] = {}  # (id, whole value?) -> what was read, its reading
        self.origins: dict[int, int] = {}  # id of a reading -> id of what was read; both are kept above

    @property
    def definitions(self) -> dict[str, Any]:
        """What references lead to in this reading, by name; grows while parts are read."""
        return self._made

    def read_document(self, schema: Any) -> Any:
        self._document = schema
        read_whole = self.read_value(schema)
        if self._made:
            read_whole = {**read_whole, "$defs": {**read_whole.get("$defs", {}), **self._made}}
        return read_whole

    def read_value(self, schema: Any) -> Any:
        """A schema that stands for a whole value."""
        if not isinstance(schema, dict):
            return schema
        if self._before is _return_unchanged and schema.keys().isdisjoint(_READ):
            return schema  # most fields are a type and no more
        image = self._images.get((id(schema), True))
        if image is None:
            read = self._before(schema)
            image = self._images[id(schema), True] = (schema, self._read_whole(read))
            self._record_origin(image[1], read)
        return image[1]

    def _record_origin(self, result: Any, read: Any) -> None:
        if result is not read:
            self.origins[id(result)] = id(read)

    def _read_whole(self, schema: dict[str, Any]) -> Any:
        foreign = schema.keys() == {"$ref"} and not str(schema["$ref"]).startswith("#")
        if foreign or schema.keys().isdisjoint(_READ):
            return schema  # what is not here stays one thing, however it is read
        beside = [k for k in _ELSEWHERE if k in schema]
        if not beside or not self._closing:
            return self._here(self._read_children(schema))
        if len(beside) == 1 and not any(k in schema for k in _DECLARES):
            passed = self._pass_on(beside[0], schema)
            if passed is not None:
                return {**self._read_children(schema), **passed}
        if shared := self._find_shared(schema):
            schema = self._join_shared(schema, shared)
        inside = self._read_children(schema)
        if "additionalProperties" in schema or "unevaluatedProperties" in schema:
            return inside
        declares, required = self._list_declared(schema)
        if not declares:
            return inside
        fields = inside.get("properties", {})
        if required and isinstance(fields, dict):
            inside = {**inside, "properties": {**fields, **dict.fromkeys(required, True)}}
        # Several schemas declare fields of this one value. `additionalProperties` in one would forbid those of the
        # others; `unevaluatedProperties` counts what all of them declare.
        return {**inside, "unevaluatedProperties": False}

    def _pass_on(self, key: str, schema: dict[str, Any]) -> dict[str, Any] | None:
        """Closed below one keyword, where that alone says what the fields are; None where it cannot be passed on."""
        if key == "$ref":
            return {"$ref": self._read_reference(schema["$ref"])}
        if not isinstance(schema[key], list):
            return None
        if key == "anyOf" or (key == "allOf" and len(schema["allOf"]) == 1):
            return {key: [self.read_value(s) for s in schema[key]]}
        if key == "oneOf":
            # Closed branches overlap less, so `oneOf` of them could take more: both must hold.
            branches = {"anyOf": [self.read_value(s) for s in schema["oneOf"]]}
            return {"oneOf": schema["oneOf"], "allOf": [branches]}
        return None

    def _read_in_place(self, schema: Any) -> Any:
        """A schema that speaks of the same value as the one around it: only its children are read anew."""
        if not isinstance(schema, dict):
            return schema
        image = self._images.get((id(schema), False))
        if image is None:
            read = self._before(schema)
            children = self._read_children(read)
            image = self._images[id(schema), False] = (schema, children if self._closing else self._here(children))
            self._record_origin(image[1], read)
        return image[1]

    def _read_children(self, schema: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in schema.items():
            if key == "oneOf" and isinstance(value, list) and not self._closing:
                # Open branches overlap more, so "exactly one of them" could take less than was promised.
                branches = [self._read_in_place(v) for v in value]
                result["oneOf" if branches == value else "anyOf"] = branches
            elif key == "$ref":
                result[key] = self._read_reference(value, whole=not self._closing)
            else:
                result[key] = self._read_keyword(key, value)
        if "anyOf" in result and "anyOf" in schema and "oneOf" in schema and "oneOf" not in result:
            # Both now claim the word `anyOf`; a schema has room for one, `allOf` for both.
            both = [{"anyOf": [self._read_in_place(v) for v in schema[k]]} for k in ("anyOf", "oneOf")]
            result["allOf"] = [*result.get("allOf", []), *both]
            del result["anyOf"]
        return result

    def _read_keyword(self, key: str, value: Any) -> Any:
        """What a keyword holds, read anew; the value itself where it holds no schema, or is malformed."""
        if key not in _WHOLE and key not in _SAME:
            return value
        read = self.read_value if key in _WHOLE else self._read_in_place
        if key in SCHEMA_MAPS:
            return {k: read(v) for k, v in value.items()} if isinstance(value, dict) else value
        if key in SCHEMA_LISTS:
            return [read(v) for v in value] if isinstance(value, list) else value
        return read(value)

    def _read_reference(self, ref: Any, *, whole: bool = True) -> Any:
        """What is referred to, under a name of its own; not `whole`: other schemas speak of the same value, so only
        what lies within it is closed."""
        if not isinstance(ref, str) or not ref.startswith("#"):
            return ref
        if (ref, whole) in self._names:
            return self._names[ref, whole]
        target = follow_pointer(self._document, ref)
        if not isinstance(target, dict):
            return ref
        reading = "open" if not self._closing else "closed" if whole else "within"
        name = f"{reading}:{ref[1:].rpartition('/')[2].replace('~', '-') or 'root'}"
        while name in self._made:
            name += "'"
        self._names[ref, whole] = f"#/$defs/{name}"
        self._made[name] = True  # taken, before the walk meets itself again
        own = {k: v for k, v in target.items() if k != "$defs"} if "$defs" in target else target
        self._made[name] = self.read_value(own) if whole else self._read_in_place(own)
        return self._names[ref, whole]

    def _find_shared(self, schema: dict[str, Any]) -> dict[str, list[Any]]:
        """The fields (and the items, under "") of which several schemas that always hold say more than a type."""
        said: dict[str, list[Any]] = {}
        parts = self._list_always(schema)
        for part in parts:
            fields = dict(part["properties"]) if isinstance(part.get("properties"), dict) else {}
            if "items" in part and not any("prefixItems" in other for other in parts):
                fields[""] = part["items"]
            for name, field in fields.items():
                target, same = self._follow_bare(field), said.setdefault(name, [])
                same += [] if any(target is other for other in same) else [target]
        return {name: same for name, same in said.items() if len(list(filter(_is_structured, same))) > 1}

    def _list_always(self, schema: dict[str, Any]) -> list[dict[str, Any]]:
        """A schema and those that hold wherever it does: through `allOf` and references."""
        parts: list[dict[str, Any]] = []
        todo: list[Any] = [schema]
        while todo:
            part = todo.pop()
            if isinstance(part, dict) and not any(part is other for other in parts):
                parts.append(part)
                todo += part["allOf"] if isinstance(part.get("allOf"), list) else []
                todo += [follow_pointer(self._document, part["$ref"])] if _is_local(part) else []
        return parts

    def _follow_bare(self, schema: Any) -> Any:
        """What a reference that stands alone leads to; any other schema, and a reference that leads out, as it is."""
        for _ in range(_MAX_STEPS):
            target = follow_pointer(self._document, schema["$ref"]) if _is_local(schema) and len(schema) == 1 else None
            if not isinstance(target, dict | bool):
                break
            schema = target
        return schema

    def _join_shared(self, schema: dict[str, Any], shared: dict[str, list[Any]]) -> dict[str, Any]:
        """The schema with all that describes a field in one place, so that it is closed as a whole.

        Closed one by one, two schemas of one field would each forbid what the other declares.
        """
        joined = {name: self._join_schemas(schemas) for name, schemas in shared.items()}
        words: dict[str, Any] = {"items": joined.pop("")} if "" in joined else {}
        words |= {"properties": joined} if joined else {}
        rest = self._leave_out(schema, shared.keys(), ())
        return {**rest, "allOf": [*rest.get("allOf", ()), words]}

    def _join_schemas(self, schemas: list[Any]) -> dict[str, str]:
        """A reference to the reading of several schemas of one value. Each set of them is read once: it may recur."""
        key = frozenset(map(id, schemas))
        if key not in self._joined:
            name = f"closed:{len(self._joined)} of several"
            self._joined[key] = ({"$ref": f"#/$defs/{name}"}, schemas)
            self._made[name] = True  # taken, before the walk meets itself again
            self._made[name] = self._read_whole({"allOf": schemas})
        return self._joined[key][0]

    def _leave_out(self, schema: Any, names: Collection[str], above: tuple[int, ...]) -> Any:
        """The schema without what it always says of these fields, what it refers to in the place of the reference."""
        if not isinstance(schema, dict):
            return schema
        if id(schema) in above:
            return True  # it holds itself, and says no more by that
        rest = {key: value for key, value in schema.items() if key != "items" or "" not in names}
        if isinstance(schema.get("properties"), dict):
            rest["properties"] = {n: True if n in names else field for n, field in schema["properties"].items()}
        members = rest["allOf"] if isinstance(rest.get("allOf"), list) else []
        if _is_local(schema):
            members = [*members, follow_pointer(self._document, rest.pop("$ref"))]
        if members:
            rest["allOf"] = [self._leave_out(member, names, (*above, id(schema))) for member in members]
        return rest

    def _list_declared(self, schema: dict[str, Any]) -> tuple[bool, list[str]]:
        """Whether the schemas that speak of this one value declare fields, and the names that they require and none
        of them declares: who requires a field declares it, though nothing is said of what it holds."""
        declares, names, required = False, set[str](), dict[str, None]()
        seen, todo = set[int](), [schema]
        while todo:
            part = todo.pop()
            if not isinstance(part, dict) or id(part) in seen:
                continue
            seen.add(id(part))
            declares |= any(key in part for key in _DECLARES)
            names |= part["properties"].keys() if isinstance(part.get("properties"), dict) else set()
            required |= dict.fromkeys(_list_required(part))
            todo += [inner for key, inner in iter_in_place(part) if key in _READ and key != "if"]
            if isinstance(part.get("$ref"), str):
                todo.append(follow_pointer(self._document, part["$ref"]))
        return declares, [name for name in required if name not in names]


def _is_structured(schema: Any) -> bool:
    """Whether a schema says what fields or items a value has, so that it is another one when it is closed."""
    return isinstance(schema, dict) and not schema.keys().isdisjoint(_READ)


def _is_local(schema: Any) -> bool:
    return isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#")


def _list_required(schema: dict[str, Any]) -> list[str]:
    required = schema.get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []


def _close_object(schema: dict[str, Any]) -> dict[str, Any]:
    if any(k in schema for k in _DECLARES) and not (
        "additionalProperties" in schema or "unevaluatedProperties" in schema
    ):
        fields, named = schema.get("properties"), _list_required(schema)
        # Who requires a field declares it, though nothing is said of what it holds.
        if isinstance(fields, dict) and "patternProperties" not in schema and not fields.keys() >= set(named):
            schema = {**schema, "properties": {**fields, **{name: True for name in named if name not in fields}}}
        return {**schema, "additionalProperties": False}
    return schema


def _open_object(schema: dict[str, Any]) -> dict[str, Any]:
    shut = [k for k in ("additionalProperties", "unevaluatedProperties") if schema.get(k) is False]
    return {k: v for k, v in schema.items() if k not in shut} if shut else schema


# Types that JSON has no kind of its own for, kept apart on an in-process link.
#
# A datetime, UUID, Path or Decimal is text in JSON, and no `str` in the process: a method that takes a `str` fails.
# A class that nobody here knows has no JSON form at all. So where one of two contracts names such a type, both are read
# with these types as texts of their own: `\ue000` and the name, which no other text starts with. The decision and the
# judge then tell them apart, as plain JSON Schema, and a counterexample is turned back before it is shown.


MARK = "\ue000"  # a private character: no meaning in Unicode, and in nobody's text
_SAMPLES: Mapping[str, str] = {
    "date-time": "2024-01-31T12:30:00Z",
    "date": "2024-01-31",
    "time": "12:30:00Z",
    "duration": "PT1H",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "decimal": "1.50",
    "binary": "",
    "path": "a/b",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "ipv4network": "192.0.2.0/24",
    "ipv6network": "2001:db8::/32",
    "ipv4interface": "192.0.2.1/24",
    "ipv6interface": "2001:db8::1/32",
    "regex": "^a",
}
_OTHERS = {"pattern": f"^(?!{MARK})"}


def tag_both(a: Any, b: Any, *, live: bool = True) -> tuple[Any, Any] | None:
    """The two readings with such types as texts of their own; None where neither has one.

    Where payloads are not `live` but written as JSON, a date is text; a class without a JSON form still is not.
    """
    names = find_tagged_types(a, live=live) | find_tagged_types(b, live=live)
    if not names:
        return None
    mark = build_tagger(names)
    return mark(a), mark(b)


def build_tagger(names: frozenset[str]) -> Callable[[Any], Any]:
    """What rewrites a schema and all within it, given all names that two contracts have.

    A part that stands in several places is rewritten once and stays one thing, and what was rewritten stays as it is:
    so parts may be given one by one, in any order.
    """
    alike = _unify_names({n for n in names if n not in TYPE_FORMATS})
    formats = names & TYPE_FORMATS
    tagged_by_id: dict[int, tuple[Any, Any]] = {}  # the schema too, so that its id stays its own

    def mark(schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        cached = tagged_by_id.get(id(schema))
        if cached is None:
            tagged = _tag_schema(map_subschemas(schema, mark), alike, formats)
            cached = tagged_by_id[id(schema)] = (schema, tagged)
            tagged_by_id[id(tagged)] = (tagged, tagged)
        return cached[1]

    return mark


def restore_samples(value: Any) -> Any:
    """A value of the readings as people know it: a sample of the type in place of its mark."""
    if isinstance(value, str) and value.startswith(MARK):
        name = value[1:].partition(":")[0]
        return _SAMPLES.get(name, f"<{name}>")
    if isinstance(value, list):
        return [restore_samples(v) for v in value]
    return {restore_samples(k): restore_samples(v) for k, v in value.items()} if isinstance(value, dict) else value


def read_tag(value: Any) -> str | None:
    """The name of the type that a marked text stands for."""
    return value[1:].partition(":")[0] if isinstance(value, str) and value.startswith(MARK) else None


def find_tagged_types(schema: Any, *, live: bool = True) -> frozenset[str]:
    """The types of a schema that JSON has no kind of its own for."""
    type_names: set[str] = set()
    stack = [schema]  # by hand: every link that is checked comes here
    while stack:
        node = stack.pop()
        if type(node) is dict:
            name, form = node.get(OPAQUE), node.get("format")
            if type(name) is str:
                type_names.add(name)
            if live and type(form) is str and form in TYPE_FORMATS and node.get("type") == "string":
                type_names.add(form)
            stack.extend([v for v in node.values() if type(v) is dict or type(v) is list])
        elif type(node) is list:
            stack.extend([v for v in node if type(v) is dict])
    return frozenset(type_names)


def _unify_names(names: set[str]) -> dict[str, str]:
    """One name for each class: read from source it may be bare, where its module is not known."""
    full = {n for n in names if "." in n}
    full_names = {}
    for name in names:
        candidates = [f for f in full if f.rpartition(".")[2] == name]
        full_names[name] = candidates[0] if "." not in name and len(candidates) == 1 else name
    return full_names


def _tag_schema(schema: dict[str, Any], alike: Mapping[str, str], formats: frozenset[str]) -> dict[str, Any]:
    name = schema.get(OPAQUE)
    if isinstance(name, str):
        return {"type": "string", "pattern": f"^{MARK}{_escape_name(alike.get(name, name))}:$"}
    kind = schema.get("type")
    if kind == "string" and schema.get("format") in formats:
        # The pattern is left out: it says something of the JSON form, which the marked text does not have.
        kept_keywords = {k: v for k, v in schema.items() if k not in ("pattern", "format")}
        for bound in {"minLength", "maxLength"} & kept_keywords.keys():
            kept_keywords[bound] += len(f"{MARK}{schema['format']}:")
        return {**kept_keywords, "pattern": f"^{MARK}{schema['format']}:"}
    texts = kind == "string" or (isinstance(kind, list) and "string" in kind)
    if not texts or "enum" in schema or "const" in schema:
        return schema
    if "pattern" in schema:
        return {**schema, "allOf": [*schema.get("allOf", []), _OTHERS]}
    return {**schema, **_OTHERS}


def _escape_name(name: str) -> str:
    return name.replace(".", r"\.").replace("<", "").replace(">", "")


# The named ways in which two versions are read, one a run.
#
# strict   the schema's own words, on both sides
# link     who sends, sends what it declares and nothing else; who takes, ignores what it does not declare
# lenient  the schema's own words for who sends; additional properties pass for who takes


READINGS = ("strict", "link", "lenient")


def check_reading(name: str) -> None:
    """Raises ContractError for what is not the name of a reading."""
    if name not in READINGS:
        raise ContractError(f"there is no reading {name!r}; use {', '.join(READINGS)}.")


def read_documents(sent_schema: Any, taken_schema: Any, reading: str, *, live: bool = True) -> tuple[Any, Any]:
    """What one version sends and what the other takes, as whole documents, for the judge."""
    if reading == "strict":
        return sent_schema, taken_schema
    if reading == "lenient":
        return sent_schema, open_schema(taken_schema)
    read = close_schema(sent_schema), open_schema(taken_schema)
    return tag_both(*read, live=live) or read


class DocumentReadings:
    """Parts of one document as they are sent and as they are taken, each read once."""

    def __init__(self, root: dict[str, Any], reading: str, names: frozenset[str]) -> None:
        self._reading = reading
        mark = build_tagger(names) if names else None
        self._closed = LinkReader(closing=True, document=root, before=mark)
        self._opened = LinkReader(closing=False, document=root, before=mark)
        # A reference that stands beside other words is followed as it is, so what it leads to is marked as well.
        # Marked here, since a reference is followed without passing the readings.
        own = {name: mark(schema) for name, schema in root["$defs"].items()} if mark else root["$defs"]
        self.definitions = [own, self._closed.definitions, self._opened.definitions]

    @property
    def origins(self) -> tuple[dict[int, int], dict[int, int]]:
        """Of what is sent and of what is taken: the schema, by id, that each was made of. Both grow."""
        return self._closed.origins, self._opened.origins

    def read_sent(self, schema: Any) -> Any:
        """What may be sent where this schema is promised."""
        return self._closed.read_value(schema) if self._reading == "link" else schema

    def read_taken(self, schema: Any) -> Any:
        """What is taken where this schema is declared."""
        return schema if self._reading == "strict" else self._opened.read_value(schema)


MAX_NESTING = 200  # of the text of a contract; a reading of one, a comparison, a check go that deep


class Contract:
    """A contract, compared by its schema. Make one with `from_annotations`, `from_json_schema` or `static.read`."""

    def __init__(self, schema: Mapping[str, Any] | bool) -> None:
        self._schema: dict[str, Any] = ({} if schema else {"not": {}}) if isinstance(schema, bool) else dict(schema)

    @classmethod
    def from_json_schema(cls, schema: Mapping[str, Any] | bool, *, dialect: str | int | None = None) -> Contract:
        """Read a JSON Schema; `$schema` says its dialect, else `dialect`, else 2020-12. Raises ContractError."""
        if not isinstance(schema, Mapping | bool):
            raise ContractError(f"a JSON Schema is an object or true/false, not {type(schema).__name__}.")
        if isinstance(schema, bool):
            return cls(schema)
        if json_schema.is_deeper_than(schema, MAX_NESTING):
            raise ContractError(f"the schema is nested more than {MAX_NESTING} deep; move inner parts to $defs.")
        return cls(json_schema.convert_to_newest(schema, json_schema.detect_dialect(schema, dialect)))

    @classmethod
    def from_annotations(cls, annotations: Any, *, side: str | None = None) -> Contract:
        """Read a live mapping of names to types, or a type. Raises ContractError where it is not data.

        `side="output"` reads it as its producer sends it: a field with a default is there, a pydantic model is
        serialized (computed fields in, excluded ones out, written aliases). Else as a consumer takes it.
        """
        from graphbus_core.contracts.parsing.live import read_schema

        return cls(read_schema(annotations, sent=side == "output"))

    def to_json_schema(self) -> dict[str, Any]:
        """The contract as JSON Schema 2020-12. Do not change it."""
        return self._schema

    @property
    def fields(self) -> dict[str, Any]:
        """Field name -> its schema, in the order written."""
        return dict(self._schema.get("properties", {}))

    @property
    def required(self) -> frozenset[str]:
        """Names of the fields that must be there."""
        return frozenset(self._schema.get("required", ()))

    @cached_property
    def closed(self) -> Any:
        """What a producer with this contract may send, as plain JSON Schema."""
        return close_schema(read_unions(self._schema))

    @cached_property
    def opened(self) -> Any:
        """What a consumer with this contract takes, as plain JSON Schema."""
        return open_schema(read_unions(self._schema))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contract) and is_same_json(self._schema, other._schema)

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._schema)))

    def __repr__(self) -> str:
        from graphbus_core.contracts.parsing.type_forms import annotation

        return f"Contract({annotation(self._schema)})"
