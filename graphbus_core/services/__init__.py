"""The façade: all that front ends (command line, server) call. They know nothing below it but nouns and errors.

    opened     one project that stays open, for a server: `Workspace`
    does       what a front end sets going: builds, runs, questions, what waits
    shows      what a front end is shown: the project, its negotiations, in plain data
    compares   contracts held against each other, from wherever they are
    edited     the project while somebody edits it
    tables     document negotiations: opened, sat at, followed, run
    consents   consent negotiations: begun, gone on with, looked at, checked

A command imports the one module it needs: `graphbus --help` and a plain build load nothing of the others.
"""

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.services.builds import BuildRun
    from graphbus_core.services.errors import Conflict, Forbidden, NodeRaised, NotFound
    from graphbus_core.services.workspace import Workspace

__all__ = ["BuildRun", "Conflict", "Forbidden", "NodeRaised", "NotFound", "Workspace"]

_HOMES = {
    "graphbus_core.services.builds": "BuildRun",
    "graphbus_core.services.workspace": "Workspace",
    "graphbus_core.services.errors": "Conflict Forbidden NodeRaised NotFound",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
