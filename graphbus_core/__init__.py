"""GraphBus: components negotiate the contracts between them, and every agreement is proved before it becomes code.

This is what authors of nodes import. It stays light: no graph, no validation library, no command line.
"""

from graphbus_core.decorators import Alias, contract, depends_on, publishes, schema_method, subscribe
from graphbus_core.model.message import Event
from graphbus_core.node_base import GraphBusNode

__version__ = "0.2.0"

__all__ = [
    "Alias",
    "Event",
    "GraphBusNode",
    "__version__",
    "contract",
    "depends_on",
    "publishes",
    "schema_method",
    "subscribe",
]
