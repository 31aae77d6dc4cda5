"""What hands data over by a framework instead of by a call: one small reader each, behind one interface.

interface   what a reader is given, what it answers, and how others add theirs
fastapi     dependencies, bodies, and requests of the same repository
langgraph   who writes and who reads which key of a graph's state
celery      who sends a task, and what follows it in a chain
blinker     who sends a signal, and who hears it
"""

from graphbus_core.inference.frameworks.interface import Edge, FrameworkReader, ProjectSource, Unread, read_edges

__all__ = ["Edge", "FrameworkReader", "ProjectSource", "Unread", "read_edges"]
