"""The first violation of a payload, with its path: a schema prepared once, then asked for every payload that fails.

`Search.find` knows the keywords of 2020-12 that speak of one place (`readable` says whether a schema has others:
`unevaluated…`, dynamic references). It looks at live Python values one level at a time, so that a payload is never
copied to find one wrong field in it. Sub-schemas with a compiled test (`tests`) are passed over by that.

The order is fixed: the type first, then what must be there, then the parts in the order of the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.contracts.inclusion.patterns.spelled import compiled
from graphbus_core.contracts.reading.forms import OPAQUE
from graphbus_core.contracts.reading.jsonable import JSON_TYPES, class_names, dumped, format_of, level
from graphbus_core.contracts.reading.walk import follow
from graphbus_core.contracts.values import formats, rules
from graphbus_core.contracts.values.branches import Branches, resolved
from graphbus_core.contracts.values.rules import Found

Rule = Callable[[Any, Any], Found | None]  # (schema, value)


class Search:
    """Finds the first violation. `counted` formats count; `live` says that a live date is no `str` (a link)."""

    def __init__(self, document: Any, counted: frozenset[str], live: bool) -> None:
        self.document, self._counted, self._live = document, counted, live
        self.tests: dict[int, Callable[[Any], bool]] = {}
        self._branches: dict[int, Branches] = {}  # by the id of the list that holds them
        self._rules: dict[int, dict[type, tuple[Rule, ...]]] = {}  # id of a schema -> type of a value -> what to ask
        self._plans: dict[int, list[tuple[str, frozenset[type], Any]]] = {}
        self._kept: list[Any] = []

    def find(self, schema: Any, value: Any) -> Found | None:
        """The first violation of `value`, or None. Raises RecursionError for what is nested too deeply."""
        known = self._rules.get(id(schema))
        if known is None:
            if schema is True:
                return None
            if schema is False:
                return Found("false schema", None, value)
            known = self._prepare(schema)
        asked = known.get(type(value))
        if asked is None:
            wrong, value = self._plain(schema, value)
            if wrong is not None:
                return wrong
            asked = known.get(type(value))
            if asked is None:
                asked = self._of_no_type(schema)
        for rule in asked:
            found = rule(schema, value)
            if found is not None:
                return found
        return None

    def _prepare(self, schema: dict[str, Any]) -> dict[type, tuple[Rule, ...]]:
        """What is asked of values of each type, in order: a keyword that says nothing of a type costs nothing."""
        kinds = schema.get("type")
        named = frozenset([kinds] if isinstance(kinds, str) else kinds or rules.TYPES.keys() | {"number"})
        everywhere = [rule for key, rule in self._of_any_type() if key in schema]
        made: dict[type, tuple[Rule, ...]] = {}
        for kind in JSON_TYPES:
            if not (_NAMES[kind] & named) and not (kind is float and "integer" in named):
                made[kind] = (rules.mistyped,)
                continue
            whole = kind is float and "number" not in named
            own = [rule for keys, rule in self._of_type(kind) if not keys.isdisjoint(schema)]
            made[kind] = (*([rules.fraction] if whole else []), *own, *everywhere)
        self._rules[id(schema)] = made
        self._kept.append(schema)  # its id stays its own
        return made

    def _of_no_type(self, schema: dict[str, Any]) -> tuple[Rule, ...]:
        """What can be asked of a value that JSON does not have."""
        typed: list[Rule] = [rules.mistyped] if "type" in schema else []
        return (*typed, *(rule for key, rule in self._of_any_type() if key in schema))

    def _of_any_type(self) -> list[tuple[str, Rule]]:
        return [
            ("const", rules.constant),
            ("enum", rules.among),
            ("$ref", self._ref),
            ("allOf", self._all_of),
            ("anyOf", self._any_of),
            ("oneOf", self._one_of),
            ("not", self._not),
            ("if", self._if),
            (OPAQUE, rules.opaque),
        ]

    def _of_type(self, kind: type) -> list[tuple[frozenset[str], Rule]]:
        if kind is dict:
            return [
                (frozenset({"required"}), rules.required),
                (frozenset({"properties"}), self._fields),
                (frozenset({"patternProperties", "additionalProperties"}), self._further),
                (frozenset({"minProperties", "maxProperties"}), rules.count),
                (frozenset({"propertyNames"}), self._names),
                (frozenset({"dependentRequired", "dependentSchemas"}), self._dependent),
            ]
        if kind is list:
            return [
                (frozenset({"minItems", "maxItems"}), rules.count),
                (frozenset({"prefixItems", "items"}), self._items),
                (frozenset({"uniqueItems"}), rules.unique),
                (frozenset({"contains"}), self._contains),
            ]
        if kind is str:
            return [(frozenset({"minLength", "maxLength", "pattern", "format"}), self._text)]
        return [(frozenset({*rules.BOUNDS, "multipleOf"}), rules.number)] if kind is int or kind is float else []

    def fits(self, schema: Any, value: Any) -> bool:
        """Whether a value fits, by the compiled test where it says so."""
        test = self.tests.get(id(schema))
        return (test is not None and test(value)) or self.find(schema, value) is None

    def _plain(self, schema: dict[str, Any], value: Any) -> tuple[Found | None, Any]:
        """One level of a live value as JSON; or the violation that it is one."""
        name = schema.get(OPAQUE)
        if name is not None:
            return (None if name in class_names(value) else Found(OPAQUE, name, value)), value
        known = format_of(value)
        # A `str` parameter that gets a datetime fails in the first line that treats it as text.
        text = known is not None and self._live and schema.get("type") == "string"
        if text and schema.get("format") != known:
            return Found("type", "string", value), value
        if hasattr(value, "model_dump"):
            return None, dumped(value, resolved(schema, self.document).get("properties", {}))
        return None, level(value)

    # ---- keywords of every type

    def _ref(self, schema: dict[str, Any], value: Any) -> Found | None:
        return self.find(follow(self.document, schema["$ref"]), value)

    def _all_of(self, schema: dict[str, Any], value: Any) -> Found | None:
        return next((f for s in schema["allOf"] if (f := self.find(s, value)) is not None), None)

    def _any_of(self, schema: dict[str, Any], value: Any) -> Found | None:
        return self._of_union(schema, "anyOf", value)

    def _one_of(self, schema: dict[str, Any], value: Any) -> Found | None:
        taken = [i for i, s in enumerate(schema["oneOf"]) if self.fits(s, value)]
        if not taken:
            return self._of_union(schema, "oneOf", value)
        return None if len(taken) == 1 else Found("oneOf", taken, value)

    def _of_union(self, schema: dict[str, Any], key: str, value: Any) -> Found | None:
        """Why no branch takes a value: the violation of the branch that is meant, where one is."""
        branches = self._branches.get(id(schema[key]))  # of the list: a schema may have `anyOf` and `oneOf`
        if branches is None:
            branches = self._branches[id(schema[key])] = Branches(schema[key], self.document)
        index = branches.tagged(value)
        if index is not None:
            found = self.find(branches.options[index], value)
            if found is not None and not found.note:
                found.note = f"as {branches.tag} {value[branches.tag]!r} says"
            return found
        refused: list[Found | None] = []
        shaped = type(value) is dict
        for option, telling in zip(branches.options, branches.telling, strict=True):
            if shaped and telling is not None and telling not in value and telling not in rules.texted(value):
                refused.append(None)  # lacks a field: no need to make a violation of it
                continue
            found = self.find(option, value)
            if found is None:
                return None
            refused.append(found)
        if shaped and branches.tag is not None:
            return _of_no_branch(branches, key, schema[key], value)
        chosen = branches.likeliest(value, [f is None or (f.keyword == "required" and not f.parts) for f in refused])
        if chosen is None:
            return _of_no_branch(branches, key, schema[key], value)
        found = refused[chosen[0]] or self.find(branches.options[chosen[0]], value)
        assert found is not None
        found.note = found.note or chosen[1]
        return found

    def _not(self, schema: dict[str, Any], value: Any) -> Found | None:
        return Found("not", schema["not"], value) if self.find(schema["not"], value) is None else None

    def _if(self, schema: dict[str, Any], value: Any) -> Found | None:
        branch = "then" if self.find(schema["if"], value) is None else "else"
        return self.find(schema.get(branch, True), value)

    # ---- one type each

    def _text(self, schema: dict[str, Any], value: str) -> Found | None:
        if "minLength" in schema and len(value) < schema["minLength"]:
            return Found("minLength", schema["minLength"], value)
        if "maxLength" in schema and len(value) > schema["maxLength"]:
            return Found("maxLength", schema["maxLength"], value)
        if "pattern" in schema and compiled(schema["pattern"]).search(value) is None:
            return Found("pattern", schema["pattern"], value)
        name = schema.get("format")
        if name in self._counted and not formats.fits(name, value):
            return Found("format", name, value)
        return None

    def _items(self, schema: dict[str, Any], value: list[Any]) -> Found | None:
        prefix, rest = schema.get("prefixItems", ()), schema.get("items", True)
        for i, one in enumerate(prefix[: len(value)]):
            found = self.find(one, value[i])
            if found is not None:
                return found.under(i)
        if rest is True:
            return None
        test = self.tests.get(id(rest))
        for i, one in enumerate(value[len(prefix) :] if prefix else value, len(prefix)):
            if test is not None and test(one):
                continue
            found = self.find(rest, one)
            if found is not None:
                return found.under(i)
        return None

    def _contains(self, schema: dict[str, Any], value: list[Any]) -> Found | None:
        low, high = schema.get("minContains", 1), schema.get("maxContains")
        count = sum(self.fits(schema["contains"], v) for v in value)
        if count < low:
            return Found("contains", low, value)
        return Found("maxContains", high, value) if high is not None and count > high else None

    def _fields(self, schema: dict[str, Any], value: dict[Any, Any]) -> Found | None:
        plan = self._plans.get(id(schema))
        if plan is None:
            plan = self._plans[id(schema)] = [(n, rules.exact(s), s) for n, s in schema["properties"].items()]
        for name, exact, sub in plan:
            if name in value:
                one = value[name]
                if type(one) not in exact:
                    if exact and type(one) in _SURE:  # a type alone, and surely another
                        return Found("type", sub["type"], one).under(name)
                    found = self.find(sub, one)
                    if found is not None:
                        return found.under(name)
        return None

    def _further(self, schema: dict[str, Any], value: dict[str, Any]) -> Found | None:
        fields, patterns = schema.get("properties", {}), schema.get("patternProperties") or {}
        more = schema.get("additionalProperties", True)
        test = self.tests.get(id(more))
        for name, one in rules.texted(value).items():
            said = False
            for pattern, sub in patterns.items():
                if compiled(pattern).search(name) is not None:
                    said = True
                    found = self.find(sub, one)
                    if found is not None:
                        return found.under(name)
            if said or name in fields or more is True or (test is not None and test(one)):
                continue
            if more is False:
                return Found("additionalProperties", name, value)
            found = self.find(more, one)
            if found is not None:
                return found.under(name)
        return None

    def _names(self, schema: dict[str, Any], value: dict[str, Any]) -> Found | None:
        for name in rules.texted(value):
            if self.find(schema["propertyNames"], name) is not None:
                return Found("propertyNames", schema["propertyNames"], name)
        return None

    def _dependent(self, schema: dict[str, Any], value: dict[str, Any]) -> Found | None:
        for name, wanted in schema.get("dependentRequired", {}).items():
            if name in value:
                for other in wanted:
                    if other not in value:
                        return Found("required", other, value)
        for name, sub in schema.get("dependentSchemas", {}).items():
            found = self.find(sub, value) if name in value else None
            if found is not None:
                return found
        return None


_SURE = JSON_TYPES - {float}  # 1.0 is an integer
_NAMES: Mapping[type, frozenset[str]] = {
    str: frozenset({"string"}),
    bool: frozenset({"boolean"}),
    type(None): frozenset({"null"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
    int: frozenset({"integer", "number"}),
    float: frozenset({"number"}),
}


def _of_no_branch(branches: Branches, key: str, options: Any, value: Any) -> Found:
    tag = branches.tag
    if tag is None or not isinstance(value, dict):
        return Found(key, options, value)
    return Found("enum", list(branches.tags), value[tag]).under(tag) if tag in value else Found("required", tag, value)
