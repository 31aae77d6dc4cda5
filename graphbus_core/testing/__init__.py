"""Public tools for tests: scripted models, a model server on loopback, temporary projects, replay (design §3).

A project that builds on GraphBus tests its own agents with them: no key, no network, the same answers every time.
"""

from graphbus_core.testing.harness import Recording, Running, running
from graphbus_core.testing.model_server import ModelServer, Received
from graphbus_core.testing.projects import chain, temporary_project, write_files
from graphbus_core.testing.replay import identity, replay
from graphbus_core.testing.samples import payloads, sample
from graphbus_core.testing.script import FAULTS, Call, Script, Turn, fenced, slow

__all__ = [
    "FAULTS",
    "Call",
    "ModelServer",
    "Received",
    "Recording",
    "Running",
    "Script",
    "Turn",
    "chain",
    "fenced",
    "identity",
    "payloads",
    "replay",
    "running",
    "sample",
    "slow",
    "temporary_project",
    "write_files",
]
