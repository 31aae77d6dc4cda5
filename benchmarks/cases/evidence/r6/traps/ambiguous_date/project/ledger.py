import datetime
from collections import OrderedDict

from graphbus_core import GraphBusNode, depends_on


class Ledger(GraphBusNode):
    SYSTEM_PROMPT = "I keep the books by month."

    def __init__(self):
        super().__init__()
        self.months = OrderedDict()

    @depends_on("Import.line")
    def post(self, booked: datetime.date, amount: float, text: str = ""):
        month = f"{booked:%Y-%m}"
        self.months[month] = round(self.months.get(month, 0.0) + amount, 2)
        return {"month": month, "sum": self.months[month]}
