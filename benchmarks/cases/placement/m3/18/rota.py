import os

from graphbus_core import GraphBusNode, subscribe

from wards import WARDS


class ShiftChange(GraphBusNode):
    @subscribe("/Shift/Changed")
    def changed(self, ward: str, nurse: str) -> str:
        if ward not in WARDS:
            return f"{nurse}: unknown ward"
        os.environ["CLINIC_WARD"] = ward
        return f"{nurse} takes over"
