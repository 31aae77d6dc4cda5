"""Every use of one key: in the dicts that make it and the names that hold it, node by node, so that it can be edited.

A flow (`understand.flows`) says that a value arrives; this says which tokens spell its key on the way. What cannot be
followed with certainty is listed, never skipped.
"""

from graphbus_core.build.understand.keys.makes import Tracer
from graphbus_core.build.understand.keys.trace import Trace

__all__ = ["Trace", "Tracer"]
