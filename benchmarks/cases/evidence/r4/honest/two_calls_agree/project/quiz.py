from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class QuizResult(TypedDict):
    name: str
    points: int
    maximum: int


class Quiz(GraphBusNode):
    @schema_method
    def grade(self, name: str) -> QuizResult:
        return {"name": name, "points": len(name) * 2, "maximum": 20}
