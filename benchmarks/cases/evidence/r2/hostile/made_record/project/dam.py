from dataclasses import asdict, make_dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method

Drop = make_dataclass("Drop", "fall hours".split())


class Rain(GraphBusNode):
    @schema_method(input_schema={"day": str}, output_schema={"fall": int, "hours": int})
    def gauge(self, day):
        return asdict(Drop(fall=40, hours=5))


class Dam(GraphBusNode):
    @depends_on("Rain.gauge")
    @schema_method(input_schema={"inflow": int, "hours": int}, output_schema={"gate": str})
    def spill(self, inflow, hours):
        return {"gate": "open" if inflow / hours > 5 else "shut"}


def watch(day):
    drop = Drop(**Rain().gauge(day))
    return Dam().spill(inflow=drop.fall, hours=drop.hours)["gate"]


if __name__ == "__main__":
    print(watch("mon"))
