"""Ellipses on pages, as PDF operators."""
import binascii
from functools import singledispatch

from graphbus_core import GraphBusNode, depends_on, schema_method

THEMES = {
    "warn": ("ffcc00", "000000"),
    "note": ("ffffff", "3366ff"),
}


@singledispatch
def rgb(colour):
    raise TypeError(colour)


@rgb.register
def _(colour: str):
    return [round(part / 255, 2) for part in binascii.unhexlify(colour)]


@rgb.register
def _(colour: tuple):
    return list(colour)


class Palette(GraphBusNode):
    @schema_method(
        input_schema={"theme": str},
        output_schema={"interior_color": str, "border_color": str},
    )
    def pick(self, theme):
        inner, border = THEMES[theme]
        return {"interior_color": inner, "border_color": border}


class Annotator(GraphBusNode):
    @depends_on("Palette.pick")
    @schema_method(
        input_schema={"interiour_color": str, "border_color": str},
        output_schema={"ops": str},
    )
    def ellipse(self, interiour_color, border_color):
        fill = " ".join(map(str, rgb(interiour_color)))
        line = " ".join(map(str, rgb(border_color)))
        return {"ops": f"{fill} rg {line} RG"}
