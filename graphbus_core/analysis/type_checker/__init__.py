"""A kept type checker behind a port: `port` is what is asked, `ty` answers, else `pyrefly`; `typed` prepares.

`server` speaks to ty's language server.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphbus_core.analysis.type_checker.port import Engine


def find_engine(root: Path) -> Engine | None:
    """The engine that is installed, ty first: it costs half. None where there is none: "types: not run"."""
    from graphbus_core.analysis.type_checker import pyrefly, ty

    if ty.find_executable():
        return ty.Ty(root)
    return pyrefly.Pyrefly(root) if pyrefly.find_executable() else None


def is_installed() -> bool:
    """Whether there is any."""
    from graphbus_core.analysis.type_checker import pyrefly, ty

    return (ty.find_executable() or pyrefly.find_executable()) is not None
