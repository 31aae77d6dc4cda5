import json
from functools import lru_cache

from graphbus_core import GraphBusNode, schema_method

FEED = """[
 {"channel": "stable", "build": "2024.9", "size": 81},
 {"channel": "stable", "build": "2024.10", "size": 83},
 {"channel": "beta", "build": "2025.1b2", "size": 90}
]"""


@lru_cache
def feed():
    return json.loads(FEED)


class Releases(GraphBusNode):
    SYSTEM_PROMPT = "I know the releases."

    @schema_method(
        input_schema={"channel": str},
        output_schema={"channel": str, "build": str, "size": int},
    )
    def newest(self, channel):
        return dict([entry for entry in feed() if entry["channel"] == channel][-1])
