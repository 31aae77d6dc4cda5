"""Profiles for the people who get our tables."""
import configparser

from graphbus_core import GraphBusNode, schema_method

INI = r"""
[windows]
sep = ;
end = \r\n
[unix]
sep = ,
end = \n
"""


class Profile(GraphBusNode):
    def __init__(self, text=INI):
        super().__init__()
        self.parser = configparser.ConfigParser()
        self.parser.read_string(text)

    @schema_method(input_schema={"name": str}, output_schema={"sep": str, "lineterminator": str})
    def pick(self, name):
        section = self.parser[name]
        return {
            "sep": section["sep"],
            "lineterminator": section["end"].encode().decode("unicode_escape"),
        }
