from functools import reduce

from graphbus_core import GraphBusNode, depends_on, schema_method


class Taxi(GraphBusNode):
    @schema_method(input_schema={"ride": int}, output_schema={"fare": int, "tip": int})
    def ride(self, ride):
        return {"fare": 10 * ride, "tip": 1}


class Receipt(GraphBusNode):
    @depends_on("Taxi.ride")
    @schema_method(input_schema={"total": int}, output_schema={"text": str})
    def print(self, total):
        return {"text": f"paid {total}"}


if __name__ == "__main__":
    rides = [Taxi().ride(n) for n in (1, 2, 3)]
    total = reduce(lambda sofar, r: sofar + r["fare"] + r["tip"], rides, 0)
    print(Receipt().print(total=total)["text"])
