"""A change is followed through the code, or refused with the lines named."""

from __future__ import annotations

import textwrap

import pytest

from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Edited, Outcome, Refused, Unchanged
from graphbus_core.model.operation import Operation, parse_operation
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Schema, SchemaMethod
from graphbus_core.model.topic import Subscription, Topic

HEAD = "from typing import Any, NotRequired, TypedDict\nfrom graphbus_core import *\n"


def agent(
    name: str, file: str, fields: tuple[str, ...] = (), handlers: tuple[tuple[str, str], ...] = ()
) -> AgentDefinition:
    schema = Schema({"type": "object", "properties": {f: {} for f in fields}})
    heard = tuple(Subscription(name, Topic(topic), handler) for topic, handler in handlers)
    return AgentDefinition(name, file[:-3], name, file, "", SystemPrompt(""), (SchemaMethod("go", schema),), heard)


def apply(source: str, *diff: dict[str, object], fields: tuple[str, ...] = ("items", "limit"), **files: str) -> Outcome:
    sources = {"a.py": HEAD + textwrap.dedent(source).lstrip("\n")}
    sources |= {f"{name}.py": HEAD + textwrap.dedent(text).lstrip("\n") for name, text in files.items()}
    agents = [agent("Node", "a.py", fields)]
    if "b" in files:
        agents.append(agent("Other", "b.py", handlers=(("/T", "on_t"),)))
    read = {path: text.encode() for path, text in sources.items()}.get
    return DiffApplicator(read, agents, list(sources)).apply([made(d) for d in diff])


def made(data: dict[str, object]) -> Operation:
    where = {} if data["op"] in ("add_import", "remove_import") or "topic" in data else {"method": "go"}
    return parse_operation({"node": "Node", **where, **data})


def text(outcome: Outcome, path: str = "a.py") -> str:
    assert isinstance(outcome, Edited), str(outcome)
    return outcome.after[path].decode().removeprefix(HEAD)


def node(contract_in: str, contract_out: str, signature: str, body: str, before: str = "") -> str:
    return (
        f"{before}class Node(GraphBusNode):\n    @schema_method({contract_in}, {contract_out})\n"
        f"    def go(self{signature}):\n{textwrap.indent(textwrap.dedent(body).strip(), '        ')}\n"
    )


RENAME = {"op": "rename_field", "side": "input", "field": "items", "to": "rows"}
OUT = {"op": "rename_field", "side": "output", "field": "kept", "to": "rows"}

FOLLOWED = {
    "a parameter": (", items", "return {'kept': items}", ", rows", "return {'kept': rows}"),
    "annotated, with a default": (
        ", items: list[str] | None = None, *, limit=3",
        "items = items or []\nreturn {'kept': items[:limit]}",
        ", rows: list[str] | None = None, *, limit=3",
        "rows = rows or []\nreturn {'kept': rows[:limit]}",
    ),
    "f-strings": (
        ", items, limit",
        "x = f'{items} {items!r:>{limit}} {{items}}' f\"{len(items)}\"\nreturn {'kept': rf'''\n{\n items}'''}",
        ", rows, limit",
        "x = f'{rows} {rows!r:>{limit}} {{items}}' f\"{len(rows)}\"\nreturn {'kept': rf'''\n{\n rows}'''}",
    ),
    "nested f-strings with other letters": (
        ", items",
        "return {'kept': f'é{items[0]}ü{f\"{items}\"}ß' + 'ö'}",
        ", rows",
        "return {'kept': f'é{rows[0]}ü{f\"{rows}\"}ß' + 'ö'}",
    ),
    "nested functions and shadows": (
        ", items",
        """
        def own(items): return items
        def ours(n=items):
            return [items for items in items], lambda items: items, lambda: items
        return {'kept': own(items=items)}
        """,
        ", rows",
        """
        def own(items): return items
        def ours(n=rows):
            return [items for items in rows], lambda items: items, lambda: rows
        return {'kept': own(items=rows)}
        """,
    ),
    "comprehensions, walrus, attributes of that name": (
        ", items",
        "return {'kept': [x.items for x in items if (y := items)], 'items': {i for i in items}}",
        ", rows",
        "return {'kept': [x.items for x in rows if (y := rows)], 'items': {i for i in rows}}",
    ),
    "keywords": (
        ", **given",
        "if 'items' in given:\n    return {'kept': given['items'] or given.get('items')}\nreturn given.pop(\"items\")",
        ", **given",
        "if 'rows' in given:\n    return {'kept': given['rows'] or given.get('rows')}\nreturn given.pop(\"rows\")",
    ),
    "a payload": (
        ", payload",
        "data = payload or {}\nreturn {'kept': data['items']}",
        ", payload",
        "data = payload or {}\nreturn {'kept': data['rows']}",
    ),
    "an event": (
        ", event",
        "return {'kept': event.payload['items'], 't': event.topic}",
        ", event",
        "return {'kept': event.payload['rows'], 't': event.topic}",
    ),
    "the method's own callers": (
        ", items",
        "return self.go(items=items)",
        ", rows",
        "return self.go(rows=rows)",
    ),
    "a type comment and a match": (
        ", items",
        "# type: (list) -> dict\nmatch items:\n    case [first, *_]:\n        return {}\nreturn {'kept': items}",
        ", rows",
        "# type: (list) -> dict\nmatch rows:\n    case [first, *_]:\n        return {}\nreturn {'kept': rows}",
    ),
}


@pytest.mark.parametrize("case", FOLLOWED)
def test_a_renamed_input_is_followed(case: str) -> None:
    """Parameter, uses, keys; nothing else."""
    signature, body, new_signature, new_body = FOLLOWED[case]
    before = node("{'items': list, 'limit': int}", "{'kept': list}", signature, body)
    after = node("{'rows': list, 'limit': int}", "{'kept': list}", new_signature, new_body)
    assert text(apply(before, RENAME)) == after
    if "shadows" in case:
        return  # the way back would meet the inner variables of that name
    back = {**RENAME, "field": "rows", "to": "items"}
    assert text(apply(after, back, fields=("rows", "limit"))) == before
    assert isinstance(apply(after, RENAME, fields=("rows", "limit")), Unchanged)


def test_what_an_f_string_shows_of_its_own_text_stays() -> None:
    """`{items=}` prints the name, and what a program prints is not a contract's."""
    body = "x = f\"{items=} { items = :>4}{items=!s} {items!r}\"\nreturn {'kept': x}"
    new = "x = f\"items={rows!r}  items = { rows:>4}items={rows!s} {rows!r}\"\nreturn {'kept': x}"
    contract = "{'kept': str}"
    before = node("{'items': list, 'limit': int}", contract, ", items", body)
    assert text(apply(before, RENAME)) == node("{'rows': list, 'limit': int}", contract, ", rows", new)
    body = "return {'kept': f\"{len(items)=}\"}"
    assert isinstance(apply(node("{'items': list, 'limit': int}", contract, ", items", body), RENAME), Refused)


@pytest.mark.parametrize(
    "mark", ["@needs('items')", "@require(lambda items: items)", "@option('--items')", "@hints(items=list)"]
)
@pytest.mark.parametrize("op", [RENAME, {"op": "remove_field", "side": "input", "field": "items"}])
def test_a_decorator_that_speaks_of_the_parameter_refuses(mark: str, op: dict[str, object]) -> None:
    """It looks the argument up by its name, which would be another one."""
    before = node("{'items': list}", "{}", ", items", "return {}").replace("    def go", f"    {mark}\n    def go")
    outcome = apply(before, op)
    assert isinstance(outcome, Refused)
    assert (outcome.lines, "a decorator speaks of 'items'" in str(outcome)) == (("a.py:5",), True)
    other = before.replace(mark, "@needs('an item')")
    assert isinstance(apply(other, op), Edited)


REFUSED = {
    "the new name is taken": (", items", "rows = 1\nreturn {'kept': items + rows}", (6, 7)),
    "locals()": (", items", "return {'kept': locals()['items']}", (6,)),
    "all keywords handed on": (", **given", "return other(**given)", (6,)),
    "a payload handed on": (", payload", "return {'kept': self.helper(payload)}", (6,)),
    "a key that is computed": (", payload", "for k in 'ab':\n    x = payload[k]\nreturn {'kept': x}", (7,)),
    "global": (", limit=1, items=2", "def f():\n    nonlocal items\n    items = 2\nreturn {'kept': items}", (7,)),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_followed_is_refused_with_its_lines(case: str) -> None:
    """The lines are those of the file."""
    signature, body, lines = REFUSED[case]
    outcome = apply(node("{'items': list, 'limit': int}", "{'kept': list}", signature, body), RENAME)
    assert isinstance(outcome, Refused)
    assert outcome.lines == tuple(f"a.py:{n}" for n in lines)


OUTPUTS = {
    "literals in every branch": (
        "if items:\n    return {'kept': items, **{'kept': 1}}\nreturn dict(kept=[]) if 1 else {\"kept\": 2}",
        "if items:\n    return {'rows': items, **{'rows': 1}}\nreturn dict(rows=[]) if 1 else {\"rows\": 2}",
    ),
    "a variable": (
        "out = {'n': 1}\nout['kept'] = items\nout.update({'kept': 2})\nif 'kept' in out:\n    pass\nreturn out",
        "out = {'n': 1}\nout['rows'] = items\nout.update({'rows': 2})\nif 'rows' in out:\n    pass\nreturn out",
    ),
    "two returns of one variable": (
        "out = {'kept': items}\nif items:\n    return out\nreturn out",
        "out = {'rows': items}\nif items:\n    return out\nreturn out",
    ),
    "other keys of that name stay": (
        "x = {'kept': 1}['kept']\nreturn {'kept': {'kept': x}}",
        "x = {'kept': 1}['kept']\nreturn {'rows': {'kept': x}}",
    ),
}


@pytest.mark.parametrize("case", OUTPUTS)
def test_a_renamed_output_is_followed_into_what_is_returned(case: str) -> None:
    """Keys of literals, stores, keywords."""
    body, new_body = OUTPUTS[case]
    before = node("{'items': list}", "{'kept': list}", ", items", body)
    assert text(apply(before, OUT)) == node("{'items': list}", "{'rows': list}", ", items", new_body)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("return make(items)", 6),
        ("out = {'kept': 1}\nsend(out)\nreturn out", 7),
        ("yield {'kept': items}", 6),
        ("return {**items, 'kept': 1}", 6),
        ("return {k: 1 for k in items}", 6),
    ],
)
def test_a_result_that_is_made_elsewhere_is_refused(body: str, line: int) -> None:
    """With the line that makes it."""
    outcome = apply(node("{'items': list}", "{'kept': list}", ", items", body), OUT)
    assert isinstance(outcome, Refused)
    assert outcome.lines == (f"a.py:{line}",)


def test_a_field_of_objects_in_a_list_is_followed() -> None:
    """`kept[].title`, through append and comprehensions, in and out."""
    before = node(
        "{'items': [{'title': str}]}",
        "{'kept': list[{'title': str}]}",
        ", items",
        BODY := """
        kept = []
        for item in items:
            kept.append({'title': item['title']})
        if not items:
            return {'kept': [{'title': t.get('title')} for t in items]}
        return {'kept': kept}
        """,
    )
    out = text(apply(before, {**OUT, "field": "kept[].title", "to": "name"}))
    assert out == before.replace("list[{'title'", "list[{'name'").replace("({'title'", "({'name'").replace(
        "[{'title': t", "[{'name': t"
    )
    there = text(apply(before, {**RENAME, "field": "items[].title", "to": "name"}))
    assert there == before.replace("[{'title': str}]}, {", "[{'name': str}]}, {").replace(
        "item['title']", "item['name']"
    ).replace("get('title')", "get('name')")
    assert BODY


def test_a_topics_payload_is_followed_to_publishers_and_handlers() -> None:
    """The declaration, the literal that is published, and handlers without a contract of their own."""
    source = """
    TOPIC = "/T"
    @publishes(TOPIC, {"x": int, "y": int})
    class Node(GraphBusNode):
        def go(self):
            self.publish(TOPIC, {"x": 1, "y": 2})
    """
    other = """
    class Other(GraphBusNode):
        @subscribe("/T")
        def on_t(self, event):
            return event["x"] + event.get("y", 0)
    """
    outcome = apply(source, {"op": "rename_field", "topic": "/T", "side": "payload", "field": "x", "to": "z"}, b=other)
    assert '{"z": int, "y": int}' in text(outcome)
    assert '{"z": 1, "y": 2}' in text(outcome)
    assert 'event["z"] + event.get("y", 0)' in text(outcome, "b.py")
    optional = apply(
        source, {"op": "set_optional", "topic": "/T", "side": "payload", "field": "x", "optional": True}, b=other
    )
    assert 'event.get("x", 0) + event' in text(optional, "b.py")
    gone = apply(source, {"op": "remove_field", "topic": "/T", "side": "payload", "field": "x"}, b=other)
    assert isinstance(gone, Refused)
    assert gone.lines == ("b.py:6",)


CONTRACTS = {
    "a named constant": ("SHAPE = {'items': list}\n", "SHAPE", "SHAPE = {'rows': list}\n"),
    "a TypedDict": (
        "class S(TypedDict):\n    items: list  # all\n",
        "S",
        "class S(TypedDict):\n    rows: list  # all\n",
    ),
    "a functional TypedDict": ("S = TypedDict('S', {'items': list})\n", "S", "S = TypedDict('S', {'rows': list})\n"),
    "a dataclass": ("@dataclass\nclass S:\n    items: list\n", "S", "@dataclass\nclass S:\n    rows: list\n"),
    "a pydantic model": ("class S(BaseModel):\n    items: list\n", "S", "class S(BaseModel):\n    rows: list\n"),
    "a spread constant": ("B = {'items': list}\n", "{**B, 'limit': int}", "B = {'rows': list}\n"),
}


@pytest.mark.parametrize("case", CONTRACTS)
def test_contracts_are_edited_where_they_are_written(case: str) -> None:
    """In the file or beside it."""
    before, name, after = CONTRACTS[case]
    body = "return {'kept': items}"
    source = node(name, "{'kept': list}", ", items", body, before)
    assert text(apply(source, RENAME)) == node(name, "{'kept': list}", ", rows", "return {'kept': rows}", after)
    elsewhere = node(name, "{'kept': list}", ", items", body, "from shapes import *\nfrom shapes import S, B, SHAPE\n")
    outcome = apply(elsewhere, RENAME, shapes=before)
    assert text(outcome, "shapes.py") == after


ADDED = {
    "no default, required": ({"type": "int"}, ", items", ", items, extra"),
    "optional": ({"type": "int", "optional": True}, ", items", ", items, extra=None"),
    "optional and annotated": (
        {"type": "str", "optional": True},
        ", items: list",
        ", items: list, extra: str | None = None",
    ),
    "required behind defaults": ({"type": "int"}, ", items=1", ", items=1, *, extra"),
    "keyword-only": ({"type": "int"}, ", *, items", ", *, items, extra"),
    "behind *args": ({"type": "int"}, ", items, *rest", ", items, *rest, extra"),
    "many lines": ({"type": "int"}, ",\n        items,  # all\n    ", ",\n        items,  # all\n        extra,\n    "),
    "keywords": ({"type": "int"}, ", **given", ", **given"),
    "with a default": ({"type": "int", "optional": True, "default": "7"}, ", items", ", items, extra=7"),
}


@pytest.mark.parametrize("case", ADDED)
def test_an_added_input_becomes_a_parameter_where_parameters_are_used(case: str) -> None:
    """In the style of the signature; removing it again gives the bytes back."""
    more, signature, new_signature = ADDED[case]
    source = node("{'items': list}", "{}", signature, "return {}")
    outcome = text(apply(source, {"op": "add_field", "side": "input", "field": "extra", **more}, fields=("items",)))
    written = f"NotRequired[{more['type']}]" if more.get("optional") else more["type"]
    assert outcome == node(f"{{'items': list, 'extra': {written}}}", "{}", new_signature, "return {}")
    back = apply(outcome, {"op": "remove_field", "side": "input", "field": "extra"}, fields=("items", "extra"))
    assert text(back) == source


def test_a_field_is_passed_through_only_where_it_was_given() -> None:
    """Consumer's input optional -> its output hands it on: an absent field stays absent."""
    diff = (
        {"op": "add_field", "side": "input", "field": "source", "type": "str", "optional": True},
        {"op": "add_field", "side": "output", "field": "source", "type": "str", "optional": True, "default": "source"},
    )
    outcome = text(
        apply(node("{'items': list}", "{'kept': list}", ", items", "return {'kept': items}"), *diff, fields=("items",))
    )
    assert "def go(self, items, source=None):" in outcome
    assert "return {'kept': items, **({'source': source} if source is not None else {})}" in outcome
    held = text(apply(node("{'items': list}", "{'kept': list}", ", **kw", "return make(kw)"), *diff, fields=("items",)))
    assert 'return {**make(kw), **({"source": kw["source"]} if "source" in kw else {})}' in held


OPTIONAL = {
    "text": ("str", ", items", "x = items.strip()", ', items=""', "x = items.strip()"),
    "a list gets a guard": (
        "list",
        ", items",
        "x = items[0]",
        ", items=None",
        "if items is None:\n    items = []\nx = items[0]",
    ),
    "unused": ("list", ", items", "x = 1", ", items=None", "x = 1"),
    "None is looked for": ("Foo", ", items", "x = items is None or 1", ", items=None", "x = items is None or 1"),
    "annotated": ("int", ", items: int", "x = items + 1", ", items: int = 0", "x = items + 1"),
    "by name": ("str", ", items, limit", "x = items, limit", ', *, items="", limit', "x = items, limit"),
    "by name, as others were": (
        "str",
        ", a, items, limit, *, far",
        "x = items, limit",
        ', a, *, items="", limit, far',
        "x = items, limit",
    ),
    "keyword-only stays": ("str", ", *, items, limit", "x = items", ', *, items="", limit', "x = items"),
    "keywords": ("str", ", **kw", "x = kw['items']", ", **kw", "x = kw.get('items', \"\")"),
}


@pytest.mark.parametrize("case", OPTIONAL)
def test_an_input_that_may_be_left_out_gets_a_default(case: str) -> None:
    """One that the body can live with."""
    kind, signature, body, new_signature, new_body = OPTIONAL[case]
    before = "Foo = object\n"
    source = node(f"{{'items': {kind}}}", "{}", signature, body, before)
    outcome = apply(
        source, {"op": "set_optional", "side": "input", "field": "items", "optional": True}, fields=("items",)
    )
    assert text(outcome) == node(f"{{'items': NotRequired[{kind}]}}", "{}", new_signature, new_body, before)


def test_no_parameter_changes_its_place() -> None:
    """A call by position would run and mean something else: it is refused where it is seen, and fails where not."""
    source = node("{'items': str, 'limit': int}", "{}", ", a, items, limit", "x = items, limit")
    ask = {"op": "set_optional", "side": "input", "field": "items", "optional": True}
    fields = ("a", "items", "limit")
    calls = "def use(n: Node):\n    n.go(1, items='x', limit=2)\n"
    assert 'def go(self, a, *, items="", limit):' in text(apply(source + calls, ask, fields=fields))
    refused = apply(source + calls.replace("items=", ""), ask, fields=fields)
    assert isinstance(refused, Refused)
    assert "Give it by name in these calls first" in refused.reason
    rest = apply(source.replace("limit)", "limit, *rest)"), ask, fields=fields)
    assert isinstance(rest, Refused)
    assert "stands before *rest" in rest.reason


def test_no_default_that_fits_is_refused_and_a_given_one_is_taken() -> None:
    """The proposer is told what to give."""
    source = node("{'items': Foo}", "{}", ", items", "x = items.bar", "Foo = object\n")
    ask = {"op": "set_optional", "side": "input", "field": "items", "optional": True}
    outcome = apply(source, ask)
    assert isinstance(outcome, Refused)
    assert "give the operation a `default`" in outcome.reason
    assert outcome.lines == ("a.py:7",)
    assert "if items is None:\n            items = Foo" in text(apply(source, {**ask, "default": "Foo"}))


def test_retype_follows_the_annotation_and_keeps_what_stands_around() -> None:
    """NotRequired, Annotated, comments stay; a literal that contradicts is refused."""
    source = node(
        "{'items': NotRequired[Annotated[list, 'all']]}", "{'n': int}", ", items: list = ()", "return {'n': 1}"
    )
    wider = {"op": "retype_field", "side": "input", "field": "items", "type": "list | None"}
    assert text(apply(source, wider)) == source.replace("Annotated[list,", "Annotated[list | None,").replace(
        "items: list =", "items: list | None ="
    )
    assert isinstance(apply(source, {**wider, "type": "list"}), Unchanged)
    wrong = apply(source, {"op": "retype_field", "side": "output", "field": "n", "type": "str"})
    assert isinstance(wrong, Refused)
    assert wrong.lines == ("a.py:6",)


def test_removing_what_is_used_is_refused_and_what_is_made_goes() -> None:
    """Body lines are named; keys of literals, stores and keywords go with the field."""
    source = node(
        "{'items': list, 'limit': int}",
        "{'kept': list, 'n': int}",
        ", items, limit=1",
        "return {'kept': items, 'n': 3}",
    )
    used = apply(source, {"op": "remove_field", "side": "input", "field": "items"})
    assert isinstance(used, Refused)
    assert used.lines == ("a.py:6",)
    both = apply(
        source,
        {"op": "remove_field", "side": "input", "field": "limit"},
        {"op": "remove_field", "side": "output", "field": "n"},
    )
    assert text(both) == node("{'items': list}", "{'kept': list}", ", items", "return {'kept': items}")


def test_methods_are_renamed_with_who_speaks_of_them() -> None:
    """`self.go`, `@depends_on("Node.go")` in another file; a doubtful attribute is refused."""
    source = node("{'items': list}", "{}", ", items", "return self.go(1)")
    other = 'class Other(GraphBusNode):\n    @depends_on("Node.go")\n    def on_t(self, x):\n        return x\n'
    outcome = apply(source, {"op": "rename_method", "to": "run"}, b=other)
    assert "def run(self, items):\n        return self.run(1)" in text(outcome)
    assert '@depends_on("Node.run")' in text(outcome, "b.py")
    twice = other + "    def go(self):\n        return 1\n\ndef main(x):\n    return x.go()\n"
    doubtful = apply(source, {"op": "rename_method", "to": "run"}, b=twice)
    assert isinstance(doubtful, Refused)
    assert doubtful.lines == ("b.py:11",)
    assert isinstance(apply(source, {"op": "delete_method"}, b=other), Refused)
