"""GraphBus: components negotiate the contracts between them, and every agreement is proved before it becomes code.

This is what authors of nodes import. It stays light: no graph, no validation library, no command line. Each name is
imported when it is first used: a command must not pay for decorators before it can hear a Ctrl-C.
"""

import sys

from graphbus_core.lazy_imports import make_lazy_getattr
from graphbus_core.moved_modules import MovedModuleFinder

TYPE_CHECKING = False  # as type checkers know it; `typing` itself is a third of what the shortest command takes
if TYPE_CHECKING:
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

_HOMES = {
    "graphbus_core.decorators": "Alias contract depends_on publishes schema_method subscribe",
    "graphbus_core.model.message": "Event",
    "graphbus_core.node_base": "GraphBusNode",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)

if not any(finder is MovedModuleFinder for finder in sys.meta_path):
    sys.meta_path.insert(0, MovedModuleFinder)
