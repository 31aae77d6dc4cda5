"""Decimal contexts: a copy of one has the flags of what was reckoned before, by whomever.

`with localcontext() as c` copies the thread's, and `localcontext(CONTEXT)` the other's. Its precision and rounding are
as they were set up, but its flags tell of earlier events, until they are cleared.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphbus_core.artifacts.sharing.values import PLAIN, Site, Value

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine

LOCAL = "decimal.localcontext"
CONTEXT = "decimal.Context"
SETTINGS = frozenset(("prec", "rounding", "Emin", "Emax", "capitals", "clamp"))  # numbers and texts
CLEARED = "(flags)"  # of a context, the flags of which this event has cleared
_FOREIGN = "(flags of others)"
# By these somebody sees the flags of a context.
TELLING_FLAGS = frozenset(("flags", "copy", "__copy__", "__reduce__", "__repr__", "__str__", "__dict__"))


def mark_flags(context: Site, given: Value) -> None:
    """Remember that a copy has the flags of a context that this event did not make."""
    own = [a for a in given if isinstance(a, Site) and a.made_by == CONTEXT and not a.lasting]
    if not own or len(own) < len(given):
        context.fields.setdefault(_FOREIGN, set(PLAIN))


def refuse_flags(engine: Engine, value: Value, node: ast.AST) -> None:
    """Whoever has these in hand sees their flags."""
    for atom in value:
        is_foreign = isinstance(atom, Site) and atom.made_by == LOCAL and _FOREIGN in atom.fields
        if is_foreign and (atom, CLEARED) not in engine.attributes.set_now:
            engine.note("sees flags that an earlier event may have set", node, of=())


__all__ = ["CLEARED", "CONTEXT", "LOCAL", "SETTINGS", "TELLING_FLAGS", "mark_flags", "refuse_flags"]
