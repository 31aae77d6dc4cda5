from graphbus_core import GraphBusNode, depends_on, schema_method


class Reception(GraphBusNode):
    @schema_method(input_schema={"dog": str}, output_schema={"breed": str})
    def welcome(self, dog):
        return {"breed": "poodle"}


class Groomer(GraphBusNode):
    @depends_on("Reception.welcome")
    @schema_method(input_schema={"race": str}, output_schema={"cut": str})
    def trim(self, race):
        return {"cut": "lion" if race == "poodle" else "short"}


def logged(**what):
    print(*what.values())
    return Groomer().trim(**what)


def saturday():
    here = Reception().welcome("Rex")
    return logged(race=here["breed"])


if __name__ == "__main__":
    print(saturday()["cut"])
