from pathlib import Path
from string import Template

from graphbus_core import GraphBusNode, depends_on, schema_method


class School(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"surname": str, "form": str})
    def pupil(self):
        return {"surname": "Diaz", "form": "7b"}


class Letter(GraphBusNode):
    @depends_on("School.pupil")
    @schema_method(input_schema={"last_name": str, "form": str}, output_schema={"text": str})
    def compose(self, last_name, form):
        self.last_name = last_name
        self.form = form
        template = Template(Path(__file__).with_name("letter.txt").read_text().strip())
        return {"text": template.substitute(vars(self))}
