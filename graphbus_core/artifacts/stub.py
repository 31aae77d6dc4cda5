"""The stub of a build's nodes: what an editor and `mypy --strict` know of `self.nodes.Inventory.check_stock(sku=…)`.

    from typing import TYPE_CHECKING

    if TYPE_CHECKING:
        from graphbus_nodes import ANodes, Nodes  # .graphbus/types, on mypy's path


    class Shop(GraphBusNode):
        nodes: "Nodes"  # self.nodes.Inventory.check_stock(sku="X1")
        anodes: "ANodes"  # await self.anodes.Inventory.check_stock(sku="X1")

Parameters and results are those of the contracts; a method without a contract takes and gives anything.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.model.agent_def import AgentDefinition

FILE = "types/graphbus_nodes.pyi"


def stub_of(agents: Iterable[AgentDefinition]) -> str:
    """The text of the stub. Names that Python cannot say are left out."""
    records: list[str] = []
    nodes: list[str] = []
    fields: list[str] = []
    awaited: list[str] = []
    for agent in sorted(agents, key=lambda one: one.name):
        if not _sayable(agent.name):
            continue
        fields.append(f"    {agent.name}: _{agent.name}")
        awaited.append(f"    {agent.name}: _A{agent.name}")
        methods = [_method(agent.name, method, records) for method in agent.methods if _sayable(method.name)]
        nodes += [f"class _{agent.name}:", *(methods or ["    ..."]), ""]
        nodes += [f"class _A{agent.name}:", *([f"    async {one.lstrip()}" for one in methods] or ["    ..."]), ""]
    head = ["# Written by `graphbus build`: do not edit.", "from typing import Any, NotRequired, TypedDict", ""]
    doors = ["class Nodes:", *(fields or ["    ..."]), "", "class ANodes:", *(awaited or ["    ..."]), ""]
    return "\n".join([*head, *records, *nodes, *doors])


def _method(agent: str, method: Any, records: list[str]) -> str:
    given = method.input_schema.json_schema if method.input_schema is not None else None
    result = method.output_schema.json_schema if method.output_schema is not None else None
    name = f"_{agent}_{method.name}"
    back = _annotation(result, name, records) if result is not None else "Any"
    if not isinstance(given, Mapping) or not all(map(_sayable, given.get("properties", {}))):
        return f"    def {method.name}(self, **arguments: Any) -> {back}: ..."
    required = set(given.get("required", ()))
    parameters = [
        f"{field}: {_annotation(schema, f'{name}_{field}', records)}{'' if field in required else ' = ...'}"
        for field, schema in given.get("properties", {}).items()
    ]
    star = ["*"] if parameters else []
    return f"    def {method.name}({', '.join(['self', *star, *parameters])}) -> {back}: ..."


def _annotation(schema: Any, name: str, records: list[str]) -> str:
    """A schema as an annotation; an object with fields becomes a TypedDict of that name."""
    if not isinstance(schema, Mapping):
        return "Any"
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_annotation(s, f"{name}_{i}", records) for i, s in enumerate(schema["anyOf"])))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(_annotation({**schema, "type": one}, name, records) for one in kind))
    if kind == "array":
        return f"list[{_annotation(schema.get('items', True), f'{name}_item', records)}]"
    if kind == "object":
        fields = schema.get("properties", {})
        if not fields or not all(map(_sayable, fields)):
            return "dict[str, Any]"
        required = set(schema.get("required", ()))
        lines = [f"class {name}(TypedDict):"]
        for field, one in fields.items():
            said = _annotation(one, f"{name}_{field}", records)
            lines.append(f"    {field}: {said if field in required else f'NotRequired[{said}]'}")
        records += [*lines, ""]
        return name
    from graphbus_core.contracts.reading.wording import WORDS  # late: a run reads builds, and writes none

    return WORDS.get(str(kind), "Any")


def _sayable(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)
