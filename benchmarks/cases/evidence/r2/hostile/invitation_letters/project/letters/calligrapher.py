from importlib.resources import files
from string import Template

from graphbus_core import GraphBusNode, depends_on, schema_method


class Calligrapher(GraphBusNode):
    @depends_on("GuestList.next")
    @schema_method
    def write(self, name: str, day: str) -> dict[str, str]:
        letter = Template(files("letters").joinpath("letter.txt").read_text())
        return {"letter": letter.substitute(locals())}
