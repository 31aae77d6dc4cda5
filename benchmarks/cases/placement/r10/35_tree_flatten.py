# pure
"""Keeps nothing: the accumulator defaults to None and is made anew for every tree."""
from collections.abc import Iterator
from typing import Any

from graphbus_core import GraphBusNode, subscribe

Tree = dict[str, Any]
MAX_DEPTH = 12


class TooDeep(ValueError):
    def __init__(self, path: list[str]) -> None:
        super().__init__("/".join(path[:3]) + "/...")


def flatten(tree: Tree, path: list[str] | None = None, out: dict[str, Any] | None = None) -> dict[str, Any]:
    if path is None:
        path = []
    if out is None:
        out = {}
    if len(path) > MAX_DEPTH:
        raise TooDeep(path)
    for key, value in tree.items():
        path.append(key)
        if isinstance(value, dict) and value:
            flatten(value, path, out)
        elif isinstance(value, list):
            for number, entry in enumerate(value):
                if isinstance(entry, dict):
                    flatten(entry, [*path, str(number)], out)
                else:
                    out[".".join([*path, str(number)])] = entry
        else:
            out[".".join(path)] = value
        path.pop()
    return out


def leaves(tree: Any) -> Iterator[Any]:
    match tree:
        case dict():
            for value in tree.values():
                yield from leaves(value)
        case list():
            for value in tree:
                yield from leaves(value)
        case _:
            yield tree


def depth(tree: Any) -> int:
    if isinstance(tree, dict):
        tree = list(tree.values())
    return 1 + max(map(depth, tree), default=0) if isinstance(tree, list) else 0


class ConfigFlatten(GraphBusNode):
    @subscribe("/config/loaded")
    def on_config(self, name: str, tree: Tree, prefix: str = "") -> dict[str, Any]:
        try:
            flat = flatten(tree, [prefix] if prefix else None)
        except TooDeep as error:
            return {"name": name, "error": f"too deep at {error}"}
        secrets = sorted(key for key in flat if key.rsplit(".", 1)[-1] in ("password", "token"))
        for key in secrets:
            flat[key] = "***"
        return {"name": name, "flat": flat, "leaves": sum(1 for _ in leaves(tree)), "depth": depth(tree)}
