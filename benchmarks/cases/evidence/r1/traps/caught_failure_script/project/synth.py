from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Note(TypedDict):
    name: str


class Keyboard(GraphBusNode):
    @schema_method
    def note(self) -> Note:
        return {"name": "A4"}


class Synth(GraphBusNode):
    @depends_on("Keyboard.note")
    @schema_method
    def play(self, midi: int) -> dict[str, float]:
        return {"hz": 440.0 * 2 ** ((midi - 69) / 12)}
