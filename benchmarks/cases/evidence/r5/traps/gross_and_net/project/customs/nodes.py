from graphbus_core import GraphBusNode, depends_on, schema_method

BOXES = {"bare": 0, "carton": 250}


class Parcel(GraphBusNode):
    @schema_method(input_schema={"goods_g": int, "box": str}, output_schema={"gross_g": int, "box": str})
    def weigh(self, goods_g, box):
        return {"gross_g": goods_g + BOXES[box], "box": box}


class Customs(GraphBusNode):
    @depends_on("Parcel.weigh")
    @schema_method(input_schema={"net_g": int}, output_schema={"duty": int})
    def declare(self, net_g):
        return {"duty": net_g // 100}
