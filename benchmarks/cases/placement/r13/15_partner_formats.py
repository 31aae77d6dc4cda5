# stateful
"""csv.register_dialect is process-wide: once a partner's dialect was announced, later lines are read with it."""
import csv

from graphbus_core import GraphBusNode, subscribe


def dialect_of(partner: str) -> str:
    return partner if partner in csv.list_dialects() else "excel"


class PartnerLines(GraphBusNode):
    @subscribe("/Partner/Announce")
    def announce(self, partner: str, delimiter: str) -> dict[str, str]:
        csv.register_dialect(partner, delimiter=delimiter, skipinitialspace=True)
        return {"partner": partner, "status": "announced"}

    @subscribe("/Partner/Line")
    def line(self, partner: str, text: str) -> dict[str, object]:
        cells = next(csv.reader([text], dialect_of(partner)))
        return {"partner": partner, "cells": cells, "width": len(cells)}
