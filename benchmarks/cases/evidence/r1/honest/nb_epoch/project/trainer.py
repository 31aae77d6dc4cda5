from graphbus_core import GraphBusNode, depends_on, schema_method


class Trainer(GraphBusNode):
    @depends_on("Config.read")
    @schema_method(input_schema={"nb_epoch": int, "batch_size": int}, output_schema={"steps": int})
    def fit(self, nb_epoch, batch_size):
        return {"steps": nb_epoch * (64 // batch_size)}
