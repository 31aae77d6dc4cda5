"""Runtime mode: executes exactly what was built, with no model anywhere near it.

Each name is imported when it is first used: a validation asks only for the providers, and starts no bus.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.runtime.event_router import EventRouter
    from graphbus_core.runtime.executor import RuntimeExecutor, run_runtime
    from graphbus_core.runtime.injection.effects import effect
    from graphbus_core.runtime.loader import ArtifactLoader
    from graphbus_core.runtime.message_bus import MessageBus
    from graphbus_core.runtime.subscriptions.handlers import Retry

__all__ = ["ArtifactLoader", "EventRouter", "MessageBus", "Retry", "RuntimeExecutor", "effect", "run_runtime"]

_HOMES = {
    "graphbus_core.runtime.event_router": "EventRouter",
    "graphbus_core.runtime.executor": "run_runtime RuntimeExecutor",
    "graphbus_core.runtime.subscriptions.handlers": "Retry",
    "graphbus_core.runtime.injection.effects": "effect",
    "graphbus_core.runtime.loader": "ArtifactLoader",
    "graphbus_core.runtime.message_bus": "MessageBus",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
