"""Opening of accounts by a paper form that somebody typed in."""
from enum import StrEnum
from urllib.parse import parse_qs

from graphbus_core import GraphBusNode, depends_on, schema_method


class Residence(StrEnum):
    YES = "yes"
    NO = "no"
    TREATY = "treaty"


class Form(GraphBusNode):
    SYSTEM_PROMPT = "I read forms."
    required = ("name", "resident")

    @schema_method(input_schema={"query": str}, output_schema={"name": str, "resident": str})
    def submit(self, query):
        fields = {key: values[-1] for key, values in parse_qs(query).items()}
        missing = [key for key in self.required if key not in fields]
        if missing:
            raise ValueError(f"missing: {', '.join(missing)}")
        return {"name": fields["name"], "resident": Residence(fields["resident"]).value}


class Account(GraphBusNode):
    SYSTEM_PROMPT = "I open accounts."
    withholding = 0.25

    def __init__(self):
        super().__init__()
        self.opened = {}

    @depends_on("Form.submit")
    @schema_method(
        input_schema={"name": str, "resident": bool},
        output_schema={"name": str, "withheld": float},
    )
    def open(self, name, resident):
        withheld = 0.0 if resident else self.withholding
        self.opened[name] = withheld
        return {"name": name, "withheld": withheld}
