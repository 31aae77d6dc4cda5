import warnings
from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass
class Street:
    footfall: int
    shops: int

    @property
    def visitors(self):
        warnings.warn("visitors is called footfall now", DeprecationWarning, stacklevel=2)
        return self.footfall


class Survey(GraphBusNode):
    @schema_method
    def walk(self) -> Street:
        return Street(footfall=3000, shops=14)
