from graphbus_core import GraphBusNode, depends_on, schema_method

from offers.record import Offer


class Vendor(GraphBusNode):
    @schema_method(input_schema={"item": str}, output_schema={"item": str, "rebate": int})
    def offer(self, item):
        return dict(Offer(item=item, rebate=15))


class Buyer(GraphBusNode):
    @depends_on("Vendor.offer")
    @schema_method(input_schema={"item": str, "discount": int}, output_schema={"verdict": str})
    def weigh(self, item, discount):
        return {"verdict": f"{item}: {'take' if discount >= 10 else 'wait'}"}
