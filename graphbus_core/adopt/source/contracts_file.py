"""Inferred contracts as entries of `contracts.toml`: what no hint declares, for components that take part.

What is certain is written out. What is only likely stands there as a comment, for a person to take or leave.
What hints declare is not written a second time: the component's own entry makes it take part as it is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator

from graphbus_core.adopt.known.shapes import Certainty, Keyed, Shape
from graphbus_core.adopt.project import Component, Inferred, Method
from graphbus_core.adopt.source.types import says_something, type_text

HEAD = """\
# Contracts beside the code, as `graphbus infer --contracts` read them. Entries are yours to change; what stands here
# already is never rewritten. A line that begins with "# likely" is a guess: uncomment it where it is right.
"""


def contracts_file(found: Inferred, known: Collection[str] = ()) -> str:
    """The entries that are not `known` yet (`module:Name`), in the order of the files; empty where there is none."""
    blocks = [
        block
        for component in found.components
        for name, block in _blocks(component)
        if name not in known and _can_be_named(name)
    ]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _can_be_named(name: str) -> bool:
    """Whether an import could lead there, and what it names is meant for others."""
    module, _, inner = name.partition(":")
    parts = inner.split(".")
    return all(one.isidentifier() for one in (*module.split("."), *parts)) and not any(p.startswith("_") for p in parts)


def _blocks(component: Component) -> Iterator[tuple[str, str]]:
    """One where hints declare something of the component; one for each function of which the code shows more."""
    functions = component.kind == "functions"
    module = _module(component)
    declared = any(_declares(method) for method in component.methods)
    blocks = [(_name(module, component, one), list(_sides(one)), one) for one in component.methods]
    shown = [(name, sides, one) for name, sides, one in blocks if sides or (functions and _declares(one))]
    if not functions and (declared or shown):
        name = f"{module}:{component.name}"
        yield name, f"[{json.dumps(name, ensure_ascii=False)}]  # {component.file}:{component.line}"
    for name, sides, one in shown:
        head = f"[{json.dumps(name, ensure_ascii=False)}]  # {one.file}:{one.line}"
        yield name, "\n".join([head, *sides])


def _name(module: str, component: Component, method: Method) -> str:
    return f"{module}:{method.name}" if component.kind == "functions" else f"{module}:{component.name}.{method.name}"


def _module(component: Component) -> str:
    """The dotted module as a scan names it."""
    path = component.file.removesuffix(".py").removesuffix("/__init__").removeprefix("src/")
    return path.replace("/", ".")


def _declares(method: Method) -> bool:
    sides = [method.signature.gives, *(one.told for one in method.signature.takes)]
    return any(one.level is Certainty.DECLARED and says_something(one.shape) for one in sides)


def _sides(method: Method) -> Iterator[str]:
    """Its contract line by line; nothing of a side that hints declare whole, or that nobody can tell."""
    takes, gives = method.signature.takes, method.signature.gives
    told = [one.told.level for one in takes if one.told.level is not Certainty.UNKNOWN]
    if takes and told and any(level is not Certainty.DECLARED for level in told) and not method.signature.wild:
        fields = {f"{t.name}{'' if t.required else '?'}": type_text(t.told.shape) for t in takes}
        inside = ", ".join(f"{_key(name)} = {json.dumps(text)}" for name, text in fields.items())
        yield _line("input", "{ " + inside + " }", min(told))
    if gives.level in (Certainty.LIKELY, Certainty.CERTAIN) and says_something(gives.shape):
        yield _line("output", _value(gives.shape), gives.level)


def _line(side: str, value: str, level: Certainty) -> str:
    return f"{'' if level is not Certainty.LIKELY else '# likely: '}{side} = {value}"


def _value(shape: Shape) -> str:
    """A record as a table of its fields, which is easier to read and to change than a text; else a text."""
    if not isinstance(shape, Keyed):
        return json.dumps(type_text(shape), ensure_ascii=False)
    fields = {f"{one.name}{'' if one.required else '?'}": _value(one.shape) for one in shape.fields}
    return "{ " + ", ".join(f"{_key(name)} = {value}" for name, value in fields.items()) + " }"


def _key(name: str) -> str:
    plain = name.replace("_", "").replace("-", "")
    return name if plain.isalnum() and name.isascii() else json.dumps(name, ensure_ascii=False)
