from graphbus_core import GraphBusNode, depends_on, schema_method


class Kube(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"restartCount": int})
    def pod(self, name):
        return {"restartCount": 6}


class Health(GraphBusNode):
    @depends_on("Kube.pod")
    @schema_method(input_schema={"restart_count": int}, output_schema={"grade": str})
    def grade(self, restart_count):
        return {"grade": "bad" if restart_count > 5 else "good"}
