"""A project in a few lines, built."""

import textwrap

import pytest

from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig

SHOP = {
    "agents/shapes.py": """
        TAX = 0.2

        def with_tax(price):
            return price * (1 + TAX)
    """,
    "agents/inventory.py": """
        from graphbus_core import GraphBusNode, publishes, schema_method, subscribe
        from agents.shapes import with_tax


        class Inventory(GraphBusNode):
            SYSTEM_PROMPT = "I keep the stock."

            def __init__(self, bus=None, memory=None):
                super().__init__(bus, memory)
                self.stock = {"apple": 3}
                self.log = []

            @schema_method(input_schema={"sku": str, "qty": int}, output_schema={"available": bool, "left": int})
            def check_stock(self, sku, qty=1):
                left = self.stock.get(sku, 0)
                return {"available": left >= qty, "left": left}

            @schema_method(input_schema={"price": float}, output_schema={"price": float})
            async def price(self, price):
                return {"price": with_tax(price)}

            @schema_method(input_schema={"sku": str}, output_schema={"ok": bool})
            def lies(self, sku):
                return {"ok": "yes"}

            @subscribe("/Order/Created")
            @publishes("/Order/Accepted", {"id": int})
            def on_order(self, payload):
                self.stock[payload["sku"]] = self.stock.get(payload["sku"], 0) - 1
                self.log.append(payload["id"])
                self.publish("/Order/Accepted", {"id": payload["id"]})

            def get_state(self):
                return {"stock": self.stock, "log": self.log}

            def set_state(self, state):
                self.stock, self.log = state["stock"], state["log"]
    """,
    "agents/shop.py": """
        from graphbus_core import GraphBusNode, depends_on, publishes, schema_method


        @depends_on("Inventory")
        class Shop(GraphBusNode):
            SYSTEM_PROMPT = "I sell."
            SUBSCRIBE = ["/Order/Accepted"]

            def __init__(self):
                self.accepted = []

            @publishes("/Order/Created", {"id": int, "sku": str})
            def order(self, id, sku="apple"):
                if not self.call("Inventory", "check_stock", sku=sku, qty=1)["available"]:
                    return {"sold": False}
                self.publish("/Order/Created", {"id": id, "sku": sku})
                return {"sold": True}

            def handle_event(self, topic, payload):
                self.accepted.append((topic, payload["id"]))

            def asks(self):
                return self.call("Inventory", "whose", _context={"user": "ada"})
    """,
}


@pytest.fixture
def make_build(tmp_path):
    """files -> the folder of their build. Paths are relative to the project."""

    def make(files, name="project"):
        root = tmp_path / name
        for path, text in files.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text).lstrip())
        build_project(BuildConfig(root_package=str(root), output_dir=str(root / ".graphbus")))
        return root / ".graphbus"

    return make


@pytest.fixture
def shop(make_build):
    return make_build(SHOP)
