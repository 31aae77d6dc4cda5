"""Lines of data -> the source of two or three nodes, in five styles of writing.

Each style says in code which method feeds which. A class that depends on a class says no more than that; what is paired
under it is a guess, which is shown and is not a finding, so no case can be made of it.
"""

from __future__ import annotations

import re

from benchmarks.evidence_cases.case import End

STYLES = ("one file", "two files", "typed dict", "topic", "data class")
HEAD = "from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe\n"
Extra = dict[str, str]


def value(name: str, type_: str, number: int = 0) -> str:
    """A value of that type, which differs from field to field."""
    kinds = {"str": f'"{name}-{number}"', "int": str(100 + 7 * number), "float": str(10.5 + number), "bool": "True"}
    if type_ in kinds:
        return kinds[type_]
    if type_.startswith("{"):
        inner = re.findall(r'"(\w+)": (\w+)', type_)
        return "{" + ", ".join(f'"{n}": {value(n, t, number + i)}' for i, (n, t) in enumerate(inner)) + "}"
    if type_.startswith("Literal["):
        return type_[len("Literal[") :].split(",")[-1].strip(" ]")
    if type_.startswith("list[") and type_.endswith("]") and " | str" not in type_:
        inner_type = type_[5:-1]
        return "[None, 1]" if "None" in inner_type else f"[{value(name, inner_type, number)}]"
    if " | " in type_:
        options = type_.split(" | ")
        return "None" if "None" in options else value(name, options[-1], number)
    if type_.startswith("dict["):
        return "{" + f'"{name}": 1' + "}"
    raise ValueError(f"no value for {type_}")


def contract(fields: dict[str, str]) -> str:
    """The fields as a literal of a contract."""
    return "{" + ", ".join(f'"{name}": {type_}' for name, type_ in fields.items()) + "}"


def annotation(type_: str) -> str:
    """The same type where a signature needs it."""
    return re.sub(r"\{[^}]*\}", "dict", re.sub(r"Annotated\[(\w+(?:\[\w+\])?), .*\]$", r"\1", type_))


def parameters(fields: dict[str, str]) -> str:
    """A signature's part after `self`."""
    return "".join(f", {name}: {annotation(type_)}" for name, type_ in fields.items())


def told(fields: dict[str, str]) -> str:
    """What a consumer says it was given: enough to tell right from wrong."""
    return 'f"' + "|".join("{" + name + "}" for name in fields) + '"'


def method(end: End, takes: dict[str, str], body: list[str], marks: list[str], doc: str = "") -> str:
    """One method with its decorators."""
    lines = [f"    {mark}" for mark in marks]
    lines.append(f"    def {end.method}(self{parameters(takes)}) -> dict:")
    lines += [f'        """{doc}"""'] if doc else []
    return "\n".join([*lines, *(f"        {line}" for line in body)])


def node(end: End, methods: list[str]) -> str:
    """One class."""
    return "\n".join([f"class {end.node}(GraphBusNode):", "\n\n".join(methods)]) + "\n"


def pair(giver: End, taker: End, style: str, extra: Extra | None = None) -> dict[str, str]:
    """A producer and a consumer, linked, as files. `extra`: `giver doc`, `taker doc`, `body` (an expression)."""
    extra = extra or {}
    gives = ", ".join(f'"{n}": {value(n, annotation_free(t), i)}' for i, (n, t) in enumerate(giver.fields.items()))
    said = extra.get("body") or told(taker.fields)
    out, into = contract(giver.fields), contract(taker.fields)
    head = HEAD + extra.get("imports", "")
    if style in ("typed dict", "data class"):
        first, base = ("", "TypedDict") if style == "typed dict" else ("@dataclass\n", "")
        head += "from dataclasses import dataclass\n" if first else "from typing import TypedDict\n"
        head += _record(first, f"{giver.node}Out", base, giver) + _record(first, f"{taker.node}In", base, taker)
        out, into = f"{giver.node}Out", f"{taker.node}In"
    marks, second = [f"@schema_method(input_schema={{}}, output_schema={out})"], []
    body = [f"return {{{gives}}}"]
    if style == "topic":
        topic = f"/{giver.node}/{giver.method.title()}"
        publish = End(giver.node, giver.method, {})
        one = method(
            publish,
            {},
            [f'self.publish("{topic}", {{{gives}}})', "return {}"],
            [f'@publishes("{topic}", {out})'],
            extra.get("giver doc", ""),
        )
        second = [f'@subscribe("{topic}")']
    else:
        one = method(giver, {}, body, marks, extra.get("giver doc", ""))
        second = [f'@depends_on("{giver.name}")']
    two = method(
        taker,
        taker.fields,
        [f'return {{"done": {said}}}'],
        [*second, f'@schema_method(input_schema={into}, output_schema={{"done": str}})'],
        extra.get("taker doc", ""),
    )
    a, b = node(giver, [one]), node(taker, [two])
    if style == "two files":
        return {f"agents/{giver.module}.py": f"{head}\n\n{a}", f"agents/{taker.module}.py": f"{head}\n\n{b}"}
    return {"agents/nodes.py": f"{head}\n\n{a}\n\n{b}"}


def annotation_free(type_: str) -> str:
    """The type without what `Annotated` adds."""
    return annotation(type_) if type_.startswith("Annotated") else type_


def _record(mark: str, name: str, base: str, end: End) -> str:
    rows = "".join(f"    {field}: {'dict' if t.startswith('{') else t}\n" for field, t in end.fields.items())
    return f"\n\n{mark}class {name}{f'({base})' if base else ''}:\n{rows}"
