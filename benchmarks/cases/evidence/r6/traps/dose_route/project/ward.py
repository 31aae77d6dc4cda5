"""Orders of the physicians and the pumps at the beds."""
import math
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Order:
    drug: str
    dose_mg: float
    times: int
    weight_kg: float = field(default=70.0)


class Prescription(GraphBusNode):
    SYSTEM_PROMPT = "I hold the orders in force."

    def __init__(self):
        super().__init__()
        self._orders = {
            "bed 3": Order("heparin", 25000.0, 1),
            "bed 4": Order("morphine", 30.0, 6, weight_kg=58.0),
        }

    @schema_method(
        input_schema={"bed": str},
        output_schema={"drug": str, "dose_mg": float, "times": int},
    )
    def current(self, bed):
        order = self._orders[bed]
        return {"drug": order.drug, "dose_mg": order.dose_mg, "times": order.times}


class Pump(GraphBusNode):
    SYSTEM_PROMPT = "I run a syringe pump."
    concentration = {"morphine": 1.0, "heparin": 500.0}

    @depends_on("Prescription.current")
    @schema_method(
        input_schema={"drug": str, "bolus_mg": float},
        output_schema={"ml": float, "steps": int},
    )
    def program(self, drug, bolus_mg):
        ml = bolus_mg / self.concentration[drug]
        if ml > 50:
            raise ValueError("does not fit into the syringe")
        return {"ml": ml, "steps": math.ceil(ml * 120)}
