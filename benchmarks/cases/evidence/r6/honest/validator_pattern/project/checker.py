r"""Checks a column of answers.

>>> from formschema import FormSchema
>>> plate = FormSchema().field("plate")
>>> checker = Checker(["HH-AB 12", "hh-ab 12"])
>>> checker.check(regex=plate["pattern"])
{'valid': [True, False]}
>>> checker.bad
['hh-ab 12']
"""
import re

from graphbus_core import GraphBusNode, depends_on, schema_method


class Checker(GraphBusNode):
    def __init__(self, answers=("20095", "2009", "01099")):
        super().__init__()
        self.answers = list(answers)
        self.bad = []

    @depends_on("FormSchema.field")
    @schema_method(input_schema={"regex": str}, output_schema={"valid": list})
    def check(self, regex):
        compiled = re.compile(regex)
        valid = [compiled.fullmatch(answer) is not None for answer in self.answers]
        self.bad = [a for a, ok in zip(self.answers, valid) if not ok]
        return {"valid": valid}
