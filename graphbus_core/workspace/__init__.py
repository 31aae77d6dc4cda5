"""The façade: all that front ends (command line, server) call. They know nothing below it but nouns and errors.

    opened   one project that stays open, for a server: `Workspace`
    does     what a front end sets going: builds, runs, questions, what waits
    shows    what a front end is shown: the project, its negotiations, in plain data

A command imports the one module it needs: `graphbus --help` and a plain build load nothing of the others.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphbus_core.workspace.does.builds import BuildRun
    from graphbus_core.workspace.opened import Workspace
    from graphbus_core.workspace.shows.errors import Conflict, NodeRaised, NotFound

__all__ = ["BuildRun", "Conflict", "NodeRaised", "NotFound", "Workspace"]

_HOMES = {
    "BuildRun": "graphbus_core.workspace.does.builds",
    "Conflict": "graphbus_core.workspace.shows.errors",
    "NodeRaised": "graphbus_core.workspace.shows.errors",
    "NotFound": "graphbus_core.workspace.shows.errors",
    "Workspace": "graphbus_core.workspace.opened",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
