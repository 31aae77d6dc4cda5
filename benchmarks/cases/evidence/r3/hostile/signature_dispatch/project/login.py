from graphbus_core import GraphBusNode, schema_method


class Login(GraphBusNode):
    @schema_method(input_schema={"form": str}, output_schema={"user": str})
    def verify(self, form):
        return {"user": form.partition(":")[0]}
