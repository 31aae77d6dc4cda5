from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Talk(TypedDict):
    begins: int
    minutes: int


class Agenda(GraphBusNode):
    """Minutes since the doors opened."""

    @schema_method
    def talk(self, n: int) -> Talk:
        return Talk(begins=30 * n, minutes=30)


class Stage(GraphBusNode):
    @depends_on("Agenda.talk")
    @schema_method
    def clear(self, ends: int) -> dict[str, str]:
        return {"bell": f"{ends // 60}:{ends % 60:02}"}
