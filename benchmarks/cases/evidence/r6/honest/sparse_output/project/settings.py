import tomllib

from graphbus_core import GraphBusNode, schema_method

TOML = """
[encoder]
drop_first = false
sparse_output = true
[model]
depth = 3
"""


class Settings(GraphBusNode):
    def __init__(self, text=TOML):
        super().__init__()
        self.tables = tomllib.loads(text)

    @schema_method(input_schema={}, output_schema={"drop_first": bool, "sparse_output": bool})
    def encoder(self):
        return dict(self.tables["encoder"])
