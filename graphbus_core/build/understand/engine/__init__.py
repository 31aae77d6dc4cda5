"""A kept type checker behind a port: `port` is what is asked, `ty` answers, else `pyrefly`; `typed` prepares.

`server` speaks to ty's language server.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphbus_core.build.understand.engine.port import Engine


def engine_for(root: Path) -> Engine | None:
    """The engine that is installed, ty first: it costs half. None where there is none: "types: not run"."""
    from graphbus_core.build.understand.engine import pyrefly, ty

    if ty.installed():
        return ty.Ty(root)
    return pyrefly.Pyrefly(root) if pyrefly.installed() else None


def installed() -> bool:
    """Whether there is any."""
    from graphbus_core.build.understand.engine import pyrefly, ty

    return (ty.installed() or pyrefly.installed()) is not None
