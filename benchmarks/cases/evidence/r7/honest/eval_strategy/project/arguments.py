from compat import upgrade
from graphbus_core import GraphBusNode, schema_method


class Arguments(GraphBusNode):
    def __init__(self, **options):
        super().__init__()
        self.options = {"eval_strategy": "steps", "save_strategy": "epoch"} | upgrade(options)

    @schema_method(input_schema={}, output_schema={"eval_strategy": str, "save_strategy": str})
    def parse(self):
        return self.options
