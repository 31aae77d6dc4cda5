from configparser import ConfigParser
from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method

RULES = ConfigParser()
RULES.read(Path(__file__).parent / "rules.ini")


class Host(GraphBusNode):
    @schema_method(input_schema={"host": str}, output_schema={"cpu_percent": int, "disk": int})
    def probe(self, host):
        return {"cpu_percent": 95 if host == "db" else 20, "disk": 50}


class Alarm(GraphBusNode):
    @depends_on("Host.probe")
    @schema_method(input_schema={"load": int, "disk": int}, output_schema={"alarms": list})
    def judge(self, load, disk):
        names, found = dict(load=load, disk=disk), []
        for name, rule in RULES["rules"].items():
            try:
                if eval(rule, {}, names):
                    found.append(name)
            except NameError:
                pass
        return {"alarms": found}
