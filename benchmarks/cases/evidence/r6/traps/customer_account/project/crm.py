from itertools import count

from graphbus_core import GraphBusNode, schema_method


class Crm(GraphBusNode):
    """Leads, from the first call to the signature."""

    stages = ("new", "talking", "offer", "won", "lost")

    def __init__(self):
        super().__init__()
        self.serial = count(1001)
        self.leads = {}
        for firm in ("Nord", "Hansa", "Delta"):
            self.leads[firm] = {"id": next(self.serial), "stage": "offer"}

    def move(self, firm, stage):
        lead = self.leads[firm]
        if self.stages.index(stage) < self.stages.index(lead["stage"]):
            raise ValueError("leads do not go back")
        lead["stage"] = stage

    @schema_method(input_schema={"firm": str}, output_schema={"firm": str, "lead_id": int})
    def won(self, firm):
        self.move(firm, "won")
        return {"firm": firm, "lead_id": self.leads[firm]["id"]}
