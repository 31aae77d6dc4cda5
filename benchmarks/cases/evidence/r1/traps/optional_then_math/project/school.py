from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Course:
    name: str
    weeks: int | None


class Courses(GraphBusNode):
    @schema_method
    def get(self, name: str) -> Course:
        return Course(name, {"latin": 10}.get(name))


class Invoice(GraphBusNode):
    @depends_on("Courses.get")
    @schema_method
    def bill(self, name: str, weeks: int) -> dict[str, int]:
        return {"euros": 40 * weeks}
