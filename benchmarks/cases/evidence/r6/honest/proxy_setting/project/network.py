import os
from collections import ChainMap

from graphbus_core import GraphBusNode, schema_method

DEFAULTS = {
    "BASE_URL": "http://docs.example/index",
    "PROXY": "http://cache.lan:3128",
    "TIMEOUT": "2.5",
}


class Network(GraphBusNode):
    def __init__(self, environ=None):
        super().__init__()
        given = {k: v for k, v in (environ or {}).items() if k in DEFAULTS}
        self.values = ChainMap(given, DEFAULTS)
        self.pid = os.getpid()

    @schema_method(
        input_schema={},
        output_schema={"base_url": str, "proxy": str, "timeout": float},
    )
    def settings(self):
        return {
            "base_url": self.values["BASE_URL"],
            "proxy": self.values["PROXY"],
            "timeout": float(self.values["TIMEOUT"]),
        }
