"""A kept type checker behind a port: `port` is what is asked, `ty` answers, `server` speaks to it, `typed` prepares."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphbus_core.build.understand.engine.port import Engine


def engine_for(root: Path) -> Engine | None:
    """The engine that is installed; None where there is none: "types: not run"."""
    from graphbus_core.build.understand.engine.ty import Ty, installed

    return Ty(root) if installed() else None
