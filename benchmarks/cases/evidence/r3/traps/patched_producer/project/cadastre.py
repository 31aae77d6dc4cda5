from graphbus_core import GraphBusNode, schema_method


class Cadastre(GraphBusNode):
    PLOTS = {"12a": (100, 250), "13": (400, 400)}

    @schema_method(input_schema={"plot": str}, output_schema={"area": float})
    def lookup(self, plot):
        width, depth = self.PLOTS[plot]
        return {"area": float(width * depth)}
