from configparser import ConfigParser

from graphbus_core import GraphBusNode, schema_method

TEXT = """
[report]
method = lower
kind = linear

[alarm]
method = higher
kind = linear
"""


class Settings(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"method": str, "kind": str})
    def section(self, name):
        parser = ConfigParser()
        parser.read_string(TEXT)
        return dict(parser[name])
