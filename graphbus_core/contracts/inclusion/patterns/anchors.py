"""Where the parts of a pattern stand: `^` is settled before a pattern becomes a language."""

from __future__ import annotations

from graphbus_core.contracts.inclusion.patterns import regex
from graphbus_core.contracts.inclusion.patterns.regex import Node
from graphbus_core.contracts.values.budget import GivesUp


def has(node: Node, kind: str) -> bool:
    if node[0] == kind:
        return True
    if node[0] in ("cat", "alt"):
        return any(has(n, kind) for n in node[1])
    return node[0] in ("rep", "look") and has(node[1], kind)


def may_be_empty(node: Node) -> bool:
    kind = node[0]
    if kind == "cat":
        return all(may_be_empty(n) for n in node[1])
    if kind == "alt":
        return any(may_be_empty(n) for n in node[1])
    if kind == "rep":
        return node[2] == 0 or may_be_empty(node[1])
    return kind in ("look", "start")


def at_place(node: Node, start: bool) -> Node:
    """The node where it is known to stand at the start of the string, or known not to: `^` is then settled."""
    kind = node[0]
    if kind == "start":
        return regex.EMPTY if start else ("never",)
    if not has(node, "start"):
        return node
    if kind == "alt":
        return ("alt", [at_place(n, start) for n in node[1]])
    if kind == "look":
        return ("look", at_place(node[1], start), node[2])
    if kind == "rep":
        if node[2] <= 1 and node[3] == 1:
            return ("rep", at_place(node[1], start), node[2], 1)
        raise GivesUp("pattern", "a ^ is repeated in a pattern")
    made: list[Node] = []
    for i, part in enumerate(node[1]):
        made.append(at_place(part, start))
        follows = ("cat", node[1][i + 1 :])
        if start and has(follows, "start") and not zero_width(part):
            if may_be_empty(part):
                raise GivesUp("pattern", "a ^ may stand after something or not in a pattern")
            start = False
    return ("cat", made)


def zero_width(node: Node) -> bool:
    if node[0] in ("cat", "alt"):
        return all(zero_width(n) for n in node[1])
    return node[0] in ("look", "start") or (node[0] == "rep" and zero_width(node[1]))
