from graphbus_core import GraphBusNode, schema_method

PAINTS = {"grey": (1, 3), "pink": (2, 8), "black": (1, 0)}


class Mixer(GraphBusNode):
    @schema_method(
        input_schema={"colour": str},
        output_schema={"colour": str, "ratio": float, "total": float},
    )
    def blend(self, colour):
        first, second = PAINTS[colour]
        return {
            "colour": colour,
            "ratio": first / (first + second),
            "total": float(first + second),
        }
