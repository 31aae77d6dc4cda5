"""Variadic generics: the parameters spread over a tuple field."""
from dataclasses import dataclass
from typing import Generic, Optional, TypeVar, TypeVarTuple

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass
class Row(Generic[T, *Ts]):
    key: T
    cells: tuple[*Ts]
    keyed: Optional[tuple[T, *Ts]] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Row[str, int, bool]) -> None: ...


GOOD = [
    {"key": "k", "cells": [1, True]},
    {"key": "k", "cells": [0, False], "keyed": ["k", 1, True]},
    {"key": "", "cells": [-1, False], "keyed": None},
]
BAD = [
    {"key": 1, "cells": [1, True]},
    {"key": "k", "cells": [1]},
    {"key": "k", "cells": [True, 1]},
    {"key": "k", "cells": [1, True, "x"]},
    {"key": "k", "cells": [1, True], "keyed": [1, True]},
    {"key": "k", "cells": [1, True], "keyed": ["k", 1, "True"]},
]
