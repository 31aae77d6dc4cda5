"""Runtime mode: executes exactly what was built, with no model anywhere near it."""

from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.executor import RuntimeExecutor, run_runtime
from graphbus_core.runtime.handling.handlers import Retry
from graphbus_core.runtime.loader import ArtifactLoader
from graphbus_core.runtime.message_bus import MessageBus

__all__ = ["ArtifactLoader", "EventRouter", "MessageBus", "Retry", "RuntimeExecutor", "run_runtime"]
