"""Unions as their authors mean them: each branch by its tag. Pure rewriting of JSON Schema; knows no versions.

`oneOf` of open objects means little as JSON Schema: a value of one branch fits the others too, so "exactly one" takes
nothing. What is meant stands in `discriminator` (OpenAPI 3.1, 4.8.25): the text in one field names the branch. Here
that becomes plain JSON Schema: every branch requires its own text, so the branches exclude each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graphbus_core.contracts.parsing.json_schema import (
    BRANCH,
    IN_PLACE,
    NOWHERE,
    SILENT,
    follow_pointer,
    map_subschemas,
    walk_schemas,
)

UNIONS = ("oneOf", "anyOf")
_IN_PLACE = IN_PLACE | {"$ref", "$dynamicRef"}
BASE = ":base"  # a parent of generated classes without its union
# What says which values a branch is of. A branch without any of them is a rule of presence (`{required: [a]}`).
_SHAPED = frozenset(("$ref", "properties", "type", "allOf", "anyOf", "oneOf", "enum", "const"))
_MAX_LAYERS = 20
_MAX_NESTED = 4  # unions in unions whose branches are told one by one
Resolve = Callable[[Any], Any]
LedTexts = frozenset[tuple[str, str]]


def read_unions(document: Any, *, loosely: bool = False, led_elsewhere: LedTexts = frozenset()) -> Any:
    """The document with each branch of a discriminated union told by its tag.

    `loosely` reads every `oneOf` of shapes as `anyOf`: whoever describes an API names alternatives by it.
    `led_elsewhere` are what the mappings of another version lead to a branch.
    """
    if not isinstance(document, dict) or not (loosely or "$defs" in document or _mentions_tag(document)):
        return document
    return _UnionReader(document, loosely, led_elsewhere).read_document()


def _mentions_tag(document: dict[str, Any]) -> bool:
    """Whether any part has a discriminator. By hand: every link that is checked comes here."""
    todo: list[Any] = [document]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            if "discriminator" in node:
                return True
            node = node.values()
        todo += [value for value in node if isinstance(value, dict | list)]
    return False


def list_led_texts(document: Any) -> LedTexts:
    """Each text that a mapping leads to a branch, with the field that it is the text of."""
    tags = filter(None, (_read_tag(schema) for _, schema in walk_schemas(document)))
    return frozenset((name, text) for name, mapping in tags for text in mapping)


def unwrap_branch(branch: Any) -> Any:
    """The branch as it was written, without the tag that was put into it."""
    return branch[BRANCH]["of"] if isinstance(branch, dict) and BRANCH in branch else branch


def read_tag_texts(branch: Any) -> tuple[str, ...]:
    """The texts by which a branch is told from the others; none where nothing was put into it."""
    return tuple(branch[BRANCH]["texts"]) if isinstance(branch, dict) and BRANCH in branch else ()


def tell_branch(branch: Any, name: str, texts: list[str], resolve: Resolve, *, required: bool, depth: int = 0) -> Any:
    """A branch whose field `name` has one of the texts. `resolve` says what a reference leads to, None: not known."""
    schema = resolve(branch)
    mark = {BRANCH: {"of": branch, "texts": texts}}
    union = _find_pure_union(schema)
    if union and depth < _MAX_NESTED:
        if all(texts_within and set(texts_within) <= set(texts) for texts_within in map(read_tag_texts, schema[union])):
            return {**schema, **mark}  # told already, by the tag of the inner union
        # Each inner branch by itself: a rule beside a union would have to be held against all of them at once.
        inner = [tell_branch(b, name, texts, resolve, required=required, depth=depth + 1) for b in schema[union]]
        kept = [_keep_mark(new, b) for new, b in zip(inner, schema[union], strict=True)]
        return {**schema, union: kept, **mark}
    if isinstance(schema, dict) and "object" not in _list_types(schema):
        return branch
    tag: Any = {"enum": texts}
    beside = _find_union_beside_fields(schema)
    if beside and not required and depth < _MAX_NESTED:
        # An inner branch may be closed, and would refuse a field that it does not name.
        inner = [tell_branch(b, name, texts, resolve, required=False, depth=depth + 1) for b in schema[beside]]
        schema = {**schema, beside: [_keep_mark(new, b) for new, b in zip(inner, schema[beside], strict=True)]}
    elif not isinstance(schema, dict) or not _IN_PLACE.isdisjoint(schema):
        told: dict[str, Any] = {"allOf": [branch], "properties": {name: tag}, **mark}
        return {**told, "required": [name]} if required else told
    # Written into the object itself, so that closing it stays simple.
    fields = schema["properties"] if isinstance(schema.get("properties"), dict) else {}
    field = fields.get(name)
    if isinstance(field, dict) and field.keys() - SILENT:
        is_text = field.get("type") == "string" and field.keys() - SILENT == {"type"}
        tag = {**field, **tag} if is_text else {"allOf": [field, tag]}
    told = {**schema, "properties": {**fields, name: tag}, **mark}
    needed = schema["required"] if isinstance(schema.get("required"), list) else []
    return {**told, "required": [*needed, *({name} - set(needed))]} if required else told


def _find_pure_union(schema: Any) -> str:
    """The keyword of a union that says nothing beside it; empty where there is none."""
    words = schema.keys() - SILENT - {"type"} if isinstance(schema, dict) else set()
    return next((key for key in UNIONS if words == {key} and isinstance(schema[key], list)), "")


def _find_union_beside_fields(schema: Any) -> str:
    """The keyword of a union that stands beside fields alone; empty where there is none."""
    words = schema.keys() - SILENT - {"type", "properties", "required"} if isinstance(schema, dict) else set()
    return next((key for key in UNIONS if words == {key} and isinstance(schema[key], list)), "")


def _keep_mark(told: Any, branch: Any) -> Any:
    """A branch that was told again, under the texts that it was told by first."""
    is_marked = isinstance(told, dict) and isinstance(branch, dict) and BRANCH in branch
    return {**told, BRANCH: branch[BRANCH]} if is_marked else told


def _list_types(schema: Mapping[str, Any]) -> Any:
    types = schema.get("type", "object" if "enum" not in schema and "const" not in schema else "")
    return types if isinstance(types, list) else [types]


def find_name(reference: Any) -> str:
    """The name of what a reference leads to: `Cat` of `#/components/schemas/Cat`, of `Cat` and of `Cat.json`."""
    last = str(reference).rpartition("/")[2]
    return last.removesuffix(".json").removesuffix(".yaml").removesuffix(".yml")


class _UnionReader:
    """One walk over one document."""

    def __init__(self, document: dict[str, Any], loosely: bool, led_elsewhere: LedTexts) -> None:
        self._document, self._loosely, self._led_elsewhere = document, loosely, led_elsewhere
        definitions = document.get("$defs")
        self._definitions: dict[str, Any] = definitions if isinstance(definitions, dict) else {}
        self._ancestors: dict[str, set[str]] = {}
        self._descendants: dict[str, list[str]] = {}
        self._done: dict[int, tuple[Any, Any]] = {}  # the schema too, so that its id stays its own
        self._under_way: set[int] = set()

    def read_document(self) -> Any:
        self._find_families()
        read = {}
        for name, schema in self._definitions.items():
            read[name] = self._read_definition(name, schema)
        for name in self._descendants:
            read[f"{name}{BASE}"] = self._read_schema(_drop_union(self._definitions[name]))
        rest = {key: value for key, value in self._document.items() if key != "$defs"}
        changed = self._read_schema(rest)
        if changed is rest and all(read[name] is schema for name, schema in self._definitions.items()):
            return self._document
        return {**changed, "$defs": read} if "$defs" in self._document else changed

    # ---- parents and children: `Cat: {allOf: [Pet, …]}`, `Pet: {discriminator: …}`

    def _find_families(self) -> None:
        direct = {
            name: [find_name(member["$ref"]) for member in schema.get("allOf") or () if _is_local(member)]
            for name, schema in self._definitions.items()
            if isinstance(schema, dict) and isinstance(schema.get("allOf"), list)
        }
        for name in direct:
            above, todo = set[str](), [*direct[name]]
            while todo:
                parent = todo.pop()
                if parent not in above and parent in self._definitions:
                    above.add(parent)
                    todo += direct.get(parent, ())
            self._ancestors[name] = above - {name}
        for parent, schema in self._definitions.items():
            if _read_tag(schema) is None and not _has_union(schema):
                continue
            children = [name for name, above in self._ancestors.items() if parent in above]
            if _read_tag(schema) is None:
                # Without a tag only those that the union names itself are its children.
                named = {find_name(branch["$ref"]) for branch in _list_branches(schema) if _is_local(branch)}
                children = [name for name in children if name in named]
            if children:
                self._descendants[parent] = children

    def _read_definition(self, name: str, schema: Any) -> Any:
        if isinstance(schema, dict) and (above := self._ancestors.get(name, set()) & self._descendants.keys()):
            schema = {**schema, "allOf": [self._lead_to_base(member, name, above) for member in schema["allOf"]]}
        tag = _read_tag(schema)
        if tag is not None and not _has_union(schema) and (branches := self._list_children(name, tag[1])):
            # A parent that names no union stands for its children wherever it is used.
            union = {"discriminator": schema["discriminator"], "anyOf": branches}
            return self._read_schema(union)
        return self._read_schema(schema)

    def _lead_to_base(self, member: Any, name: str, above: set[str]) -> Any:
        parent = find_name(member["$ref"]) if _is_local(member) else ""
        is_family = parent in above and name in self._descendants[parent]
        return {**member, "$ref": f"{member['$ref']}{BASE}"} if is_family else member

    def _list_children(self, name: str, mapping: Mapping[str, str]) -> list[Any]:
        named = [find_name(to) for to in mapping.values()]
        # Without a mapping the name of each schema is its tag, that of the parent as well.
        children = named or [*self._descendants.get(name, ()), *([name] if name in self._descendants else [])]
        unknown = [child for child in children if child not in self._definitions]
        if unknown or not set(children) - {name} or (named and name in children and name not in self._descendants):
            return []
        return [
            {"$ref": f"#/$defs/{_escape(c)}{BASE if c in self._descendants else ''}"} for c in dict.fromkeys(children)
        ]

    # ---- unions

    def _read_schema(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        known = self._done.get(id(schema))
        if known is None:
            self._under_way.add(id(schema))
            known = self._done[id(schema)] = (schema, self._read_union(map_subschemas(schema, self._read_schema)))
            self._under_way.discard(id(schema))
        return known[1]

    def _read_union(self, schema: dict[str, Any]) -> Any:
        tag = _read_tag(schema)
        if tag is not None:
            for key in UNIONS:
                if isinstance(schema.get(key), list):
                    schema = {**schema, key: self._tell_branches(schema[key], *tag)}
        if self._loosely and "type" in schema:
            schema = self._shut_out(schema)
        is_all_told = tag is not None and "oneOf" in schema and all(read_tag_texts(b) for b in schema["oneOf"])
        return _loosen(schema) if is_all_told or (self._loosely and _is_of_shapes(schema.get("oneOf"))) else schema

    def _shut_out(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A branch of no type that the schema around it takes says so itself: no value is of it, and none shows it."""
        outer = set(_list_types(schema))
        for key in UNIONS:
            branches = schema[key] if isinstance(schema.get(key), list) else []
            shut = [self._is_shut_out(branch, outer) for branch in branches]
            if any(shut):
                around = {"type": schema["type"]}
                told = [{"allOf": [b, around]} if is_out else b for b, is_out in zip(branches, shut, strict=True)]
                schema = {**schema, key: told}
        return schema

    def _is_shut_out(self, branch: Any, outer: set[str]) -> bool:
        target = self._resolve(branch)
        inner = set(_list_types(target)) if isinstance(target, dict) and "type" in target else set()
        numbers = {"integer", "number"}
        return bool(inner) and not inner & outer and not (inner & numbers and outer & numbers)

    def _tell_branches(self, branches: list[Any], name: str, mapping: Mapping[str, str]) -> list[Any]:
        listed = [self._list_texts(branch, name, 0) for branch in branches]
        counts = Counter(text for texts in listed for text in set(texts))
        # What no mapping leads anywhere, here or in another version, is of the one branch that lists it.
        unled = {text for text, count in counts.items() if count == 1 and text not in mapping}
        unled = {text for text in unled if (name, text) not in self._led_elsewhere}
        return [self._tell_branch(b, name, mapping, own, unled) for b, own in zip(branches, listed, strict=True)]

    def _tell_branch(self, branch: Any, name: str, mapping: Mapping[str, str], own: list[str], unled: set[str]) -> Any:
        reference = find_name(branch["$ref"]).removesuffix(BASE) if _is_local(branch) else ""
        mapped = [text for text, to in mapping.items() if reference and find_name(to) == reference]
        if mapped:
            texts = [text for text in own if text in mapped or text in unled] or mapped
        elif own:
            texts = [reference] if reference in own else own
        else:
            is_union = reference and _has_union(self._resolve(branch))
            texts = [reference] if reference and not is_union else []
        if not texts or (isinstance(branch, dict) and BRANCH in branch):
            return branch
        if not self._loosely and _is_told(self._resolve(branch), name, texts):
            return branch  # it says so itself
        return tell_branch(branch, name, texts, self._read_target, required=True)

    def _read_target(self, branch: Any) -> Any:
        """What a branch leads to, as it is read; None where that is under way, or lies too deep."""
        schema = self._resolve(branch)
        if id(schema) in self._under_way or len(self._under_way) > _MAX_LAYERS:
            return None
        return self._read_schema(schema)

    def _list_texts(self, branch: Any, name: str, depth: int) -> list[str]:
        """The texts that a branch itself allows in a field, through references, `allOf` and unions within."""
        schema = self._resolve(branch)
        if not isinstance(schema, dict) or depth > _MAX_LAYERS:
            return []
        field = self._resolve((schema.get("properties") or {}).get(name))
        if isinstance(field, dict) and ("const" in field or "enum" in field):
            values = [field["const"]] if "const" in field else field["enum"]
            return [value for value in values if isinstance(value, str)]
        members = [m for m in schema.get("allOf") or () if isinstance(schema.get("allOf"), list)]
        texts = next(filter(None, (self._list_texts(member, name, depth + 1) for member in members)), [])
        within = [self._list_texts(inner, name, depth + 1) for inner in _list_branches(schema)]
        return texts or ([text for inner in within for text in inner] if all(within) else [])

    def _resolve(self, schema: Any) -> Any:
        for _ in range(_MAX_LAYERS):
            if not _is_local(schema) or schema.keys() - SILENT - {"$ref", "type"}:
                break
            reference = schema["$ref"]
            target = follow_pointer(self._document, reference.removesuffix(BASE))
            schema = None if target is NOWHERE else target
            if reference.endswith(BASE) and isinstance(schema, dict):
                return _drop_union(schema)
        return schema


def _read_tag(schema: Any) -> tuple[str, Mapping[str, str]] | None:
    """The field that `discriminator` names, and its mapping."""
    tag = schema.get("discriminator") if isinstance(schema, dict) else None
    if not isinstance(tag, dict) or not isinstance(tag.get("propertyName"), str):
        return None
    mapping = tag.get("mapping")
    return tag["propertyName"], {str(k): str(v) for k, v in mapping.items()} if isinstance(mapping, dict) else {}


def _is_told(schema: Any, name: str, texts: list[str]) -> bool:
    """Whether an object requires the field, and lists just these texts for it."""
    if not isinstance(schema, dict) or schema.get("type") != "object" or name not in (schema.get("required") or ()):
        return False
    field = (schema.get("properties") or {}).get(name)
    values = [field["const"]] if isinstance(field, dict) and "const" in field else (field or {}).get("enum")
    return values == texts


def _is_local(schema: Any) -> bool:
    return isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and schema["$ref"].startswith("#")


def _has_union(schema: Any) -> bool:
    return isinstance(schema, dict) and any(isinstance(schema.get(key), list) for key in UNIONS)


def _list_branches(schema: Any) -> Iterator[Any]:
    for key in UNIONS:
        yield from schema[key] if isinstance(schema.get(key), list) else ()


def _drop_union(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in UNIONS}


def _is_of_shapes(branches: Any) -> bool:
    return isinstance(branches, list) and any(isinstance(b, dict) and _SHAPED & b.keys() for b in branches)


def _loosen(schema: dict[str, Any]) -> dict[str, Any]:
    """`oneOf` as `anyOf`."""
    rest = {key: value for key, value in schema.items() if key != "oneOf"}
    if "anyOf" not in schema:
        return {**rest, "anyOf": schema["oneOf"]}
    return {**rest, "allOf": [*schema.get("allOf", []), {"anyOf": schema["oneOf"]}]}


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
