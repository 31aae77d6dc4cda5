from graphbus_core import GraphBusNode, depends_on, schema_method


class Cluster(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"nodes": int, "devices": int})
    def offer(self):
        return {"nodes": 2, "devices": 8}


class Runner(GraphBusNode):
    @depends_on("Cluster.offer")
    @schema_method(input_schema={"gpus": int}, output_schema={"cmd": str})
    def launch(self, gpus):
        return {"cmd": f"torchrun --nproc {gpus}"}
