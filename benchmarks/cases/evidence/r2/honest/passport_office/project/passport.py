from dataclasses import asdict, dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class File:
    given: str
    surname: str


class Citizen(GraphBusNode):
    @schema_method
    def file(self, number: int) -> File:
        return File("Maria", "Skłodowska")


class Printer(GraphBusNode):
    @depends_on("Citizen.file")
    @schema_method
    def issue(self, family_name: str, given: str) -> dict[str, str]:
        return {"line": f"P<POL{family_name}<<{given}"}


@dataclass
class Order:
    family_name: str
    given: str


def order(file: File) -> Order:
    return Order(given=file.given, family_name=file.surname)


if __name__ == "__main__":
    print(Printer().issue(**asdict(order(Citizen().file(7))))["line"])
