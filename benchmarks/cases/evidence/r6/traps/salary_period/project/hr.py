"""Staff contracts and the yearly declaration."""
from __future__ import annotations

import abc
from typing import ClassVar

from graphbus_core import GraphBusNode, depends_on, schema_method


class Store(abc.ABC):
    @abc.abstractmethod
    def get(self, key: str) -> tuple: ...


class Memory(Store):
    rows: ClassVar[dict] = {
        "E1": ("Ito", 4100.0, "M12"),
        "E2": ("Vega", 3900.0, "M13"),
        "E3": ("Hall", 61000.0, "Y"),
    }

    def get(self, key):
        return self.rows[key]


class Contracts(GraphBusNode):
    def __init__(self, store: Store | None = None):
        super().__init__()
        self.store = store or Memory()

    @schema_method(
        input_schema={"employee": str},
        output_schema={"name": str, "gross": float, "period": str},
    )
    def find(self, employee):
        name, gross, period = self.store.get(employee)
        return {"name": name, "gross": gross, "period": period}


class TaxOffice(GraphBusNode):
    limits: ClassVar[list] = [(11000, 0.0), (30000, 0.14), (62000, 0.3)]

    @depends_on("Contracts.find")
    @schema_method(input_schema={"gross_year": float}, output_schema={"rate": float})
    def bracket(self, gross_year):
        for limit, rate in self.limits:
            if gross_year <= limit:
                return {"rate": rate}
        return {"rate": 0.42}
