import configparser
from pathlib import Path

from graphbus_core import GraphBusNode, schema_method, subscribe

ini = configparser.ConfigParser()
ini.read_string(Path(__file__).with_name("cellar.ini").read_text())


class Cellar(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.log = []

    @subscribe("/Cellar/Sensed")
    @schema_method(input_schema={"moisture": int, "celsius": int})
    def store(self, payload):
        self.log.append(" ".join(f"{payload[key]}{unit}" for key, unit in ini["columns"].items()))
