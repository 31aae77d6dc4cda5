"""The type stands behind a module's name, quoted, inside a container; a base comes from there too."""

from dataclasses import dataclass

import mod_import_types as types
from graphbus_core import GraphBusNode, schema_method, subscribe


@dataclass
class Urgent(types.Message):
    deadline: int = 0


class Node(GraphBusNode):
    @subscribe("/Case/In")
    @schema_method(input_schema={"payload": list[Urgent | types.Ack]}, output_schema={"n": int})
    def on(self, payload: "list[Urgent | types.Ack]") -> dict:
        self.messages = payload
        return {"n": 0}


GOOD = [
    [],
    [{"sender": "ann", "kind": "text", "body": "hi"}],
    [{"sender": "", "kind": "link", "body": "", "deadline": 5}, {"acked": [1]}],
]
BAD = [
    {"sender": "ann", "kind": "text", "body": "hi"},
    [{"sender": "ann", "kind": "image", "body": "hi"}],
    [{"kind": "text", "body": "hi", "deadline": 5}],
    [{"acked": [1]}, {"acked": "1"}],
    [{"sender": "ann", "kind": "text", "body": "hi", "deadline": None}],
]
