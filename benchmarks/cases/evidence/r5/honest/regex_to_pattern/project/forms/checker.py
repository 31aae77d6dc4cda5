import re

from forms.spec import FieldSpec
from graphbus_core import GraphBusNode, depends_on, schema_method


class Checker(GraphBusNode):
    VALUE = "10115"

    @depends_on("FieldSpec.describe")
    @schema_method(input_schema={"regex": str}, output_schema={"fits": bool})
    def check(self, regex: str):
        return {"fits": re.fullmatch(regex, self.VALUE) is not None}


def check_kind(kind):
    spec = FieldSpec().describe(kind)
    return Checker().check(regex=spec.pattern)["fits"]
