from graphbus_core import GraphBusNode, depends_on, schema_method


class Policy(GraphBusNode):
    @schema_method(input_schema={"place": str}, output_schema={"timeout": float, "retries": int})
    def choose(self, place: str):
        return {"timeout": 0.25 if place == "lan" else 3.5, "retries": 2}


class Probe(GraphBusNode):
    @depends_on("Policy.choose")
    @schema_method(input_schema={"timeout": int}, output_schema={"waits_ms": int})
    def ping(self, timeout: int):
        return {"waits_ms": round(timeout * 1000)}
