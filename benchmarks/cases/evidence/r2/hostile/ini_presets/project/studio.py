import configparser
from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method


class Photographer(GraphBusNode):
    @schema_method(input_schema={"scene": str}, output_schema={"stops": int})
    def meter(self, scene):
        return {"stops": 3}


class Lamp(GraphBusNode):
    @depends_on("Photographer.meter")
    @schema_method(input_schema={"power": int}, output_schema={"joules": int})
    def flash(self, power):
        return {"joules": 25 * 2**power}


def preset(name):
    ini = configparser.ConfigParser()
    ini.read(Path(__file__).with_name("presets.ini"))
    return {key: int(value) for key, value in ini[name].items()}
