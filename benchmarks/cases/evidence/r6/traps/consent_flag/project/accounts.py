from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Row(TypedDict):
    user: str
    newsletter: bool
    country: str


ROWS: list[Row] = [
    {"user": "u1", "newsletter": False, "country": "DE"},
    {"user": "u2", "newsletter": True, "country": "FR"},
]


class Profile(GraphBusNode):
    SYSTEM_PROMPT = "I load profiles at sign-in."

    @schema_method(
        input_schema={"user": str},
        output_schema={"user": str, "newsletter": bool, "country": str},
    )
    def load(self, user):
        row = next(row for row in ROWS if row["user"] == user)
        self.publish("/Profile/Loaded", dict(row))
        return dict(row)
