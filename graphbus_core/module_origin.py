"""Where a module comes from, told by its name: the standard library, GraphBus, what is installed. None is imported."""

from __future__ import annotations

import sys

OURS = "graphbus_core"


def is_standard(name: str) -> bool:
    """Whether a module is of the standard library."""
    return name.partition(".")[0] in sys.stdlib_module_names


def is_ours(name: str) -> bool:
    """Whether a module is of GraphBus itself."""
    return name.partition(".")[0] == OURS


def is_provided(name: str) -> bool:
    """Whether every project has it: nobody declares it, and no file of theirs can stand in its place."""
    return is_ours(name) or is_standard(name)


def is_installed(name: str) -> bool:
    """Whether this interpreter could import it. Of a dotted name the parents are imported."""
    from importlib.util import find_spec  # only where somebody asks: most commands do not

    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the parent is missing
        return False
