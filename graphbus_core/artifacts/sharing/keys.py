"""What a cache was asked for: 1, 1.0 and True are equal, and a cache remembers one result for all of them.

A KEY may be any of these; an INDEX is 1 or True, for what a hint calls an int may be a bool.

So it keeps which of them came first. That harms nobody where nobody can see it: what is done with such a key makes the
same of all three (equal, at least), or fails for all three. Everything else *refuses*: it is held against the node.
What comes out of such a key by reckoning is such a key again.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing import library
from graphbus_core.artifacts.sharing.values import (
    FLAG,
    INDEX,
    KEY,
    PLAIN,
    TEXT,
    WHOLE,
    Atom,
    Site,
    Value,
    reach,
)

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine

_KEYS: Value = frozenset((KEY, INDEX))
_RECKONING = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
DICT = "a dict"  # what made a container that is one
LIST = "a list"
TUPLE = "a tuple"
KEYWORDS = "what **kwargs stands for"


def refuse_kinds(engine: Engine, value: Value, node: ast.AST, *, takes_index: bool = False) -> None:
    """Which of 1, 1.0 and True it was is seen here; `takes_index`: no text of it is made, and it counts as an int."""
    refused = {KEY} if takes_index else _KEYS
    if refused & reach(value) and node not in engine.raising:
        engine.note(f"sees in {ast.unparse(node)[:40]} which of equal keys a cache was asked for first", node, of=())


def is_tuple(site: Site) -> bool:
    """Whether it is a tuple: what equals it has equal parts at the same places."""
    return site.positions is not None or site.made_by in (TUPLE, KEYWORDS, "collections.namedtuple")


def free_of_keys(engine: Engine, atom: Atom) -> Atom:
    """The same error, where nobody remembers it: what it holds was given by the event that is handled."""
    if not isinstance(atom, Site) or atom.lasting or not _KEYS & reach((atom,)):
        return atom
    twin = engine.make((atom, "raised"), atom.kind, frozenset(atom.items) - _KEYS, cls=atom.cls, label=atom.label)
    for name, values in list(atom.fields.items()):
        engine.put(twin, frozenset(values) - _KEYS | PLAIN, name)
    return twin


def check_operator(engine: Engine, node: ast.BinOp, left: Value, right: Value) -> None:
    """Numbers may be reckoned with; a text or a list that is multiplied, and places in a text, see the kind."""
    if not _KEYS & reach(left | right):
        return
    if not isinstance(node.op, _RECKONING):
        refuse_kinds(engine, left | right, node, takes_index=True)
    if isinstance(node.op, ast.Mod) and not left <= frozenset((KEY, INDEX, WHOLE, FLAG)):
        refuse_kinds(engine, right, node)
    if isinstance(node.op, ast.Mult) and any(a == TEXT or isinstance(a, Site) for a in left | right):
        refuse_kinds(engine, left | right, node, takes_index=True)


def check_index(engine: Engine, owners: Value, keys: Value, node: ast.Subscript) -> None:
    """A dict gives the same for equal keys; the places of a list are whole numbers."""
    if not all(isinstance(a, Site) and a.made_by == DICT for a in owners):
        refuse_kinds(engine, keys, node, takes_index=True)


def check_identity(engine: Engine, sides: list[Value], node: ast.Compare) -> None:
    """`x is None` is the same for all numbers, `x is True` is not."""
    if any(_KEYS & side for side in sides) and not all(side <= _KEYS | {TEXT} for side in sides):
        refuse_kinds(engine, _KEYS, node)


def check_call(engine: Engine, name: str, arguments: list[Value], given: Value, node: ast.AST) -> None:
    """A function of the library."""
    if not library.is_blind(name) or (name.startswith(("itertools.", "heapq.", "bisect.")) and _KEYS & given):
        refuse_kinds(engine, given, node, takes_index=library.counts_flags(name))
    elif name == "builtins.round":
        refuse_kinds(engine, frozenset().union(*arguments[1:]), node, takes_index=True)


def check_method(engine: Engine, name: str, arguments: list[Value], given: Value, node: ast.AST) -> None:
    """A method of a text, a number, a pattern."""
    if name not in library.TEXT_TAKING:
        refuse_kinds(engine, given, node, takes_index=name in library.PADDING_METHODS)
    elif name not in library.PATTERN_METHODS:
        refuse_kinds(engine, frozenset().union(*arguments[1:]), node)
