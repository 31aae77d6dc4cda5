"""Orders are placed, and packed: glass breaks."""

import os
from pathlib import Path

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Desk(GraphBusNode):
    @publishes("/Order/Placed", {"id": int, "sku": str})
    @schema_method(input_schema={"id": int, "sku": str}, output_schema={"placed": bool})
    def place(self, id: int, sku: str):
        self.publish("/Order/Placed", {"id": id, "sku": sku})
        return {"placed": True}


class Packer(GraphBusNode):
    def __init__(self):
        self.packed = []

    @subscribe("/Order/Placed")
    @publishes("/Order/Packed", {"id": int})
    def on_placed(self, payload):
        if payload["sku"] == "bomb" and Path("fuse").exists():
            os._exit(137)
        if payload["sku"] == "glass" and not Path("straw").exists():
            raise ValueError("It broke.")
        self.packed.append(payload["id"])
        self.publish("/Order/Packed", {"id": payload["id"]})

    @schema_method(input_schema={}, output_schema={"packed": list[int]})
    def all(self):
        return {"packed": self.packed}

    def get_state(self):
        return {"packed": self.packed}

    def set_state(self, state):
        self.packed = list(state["packed"])
