import inspect

from graphbus_core import GraphBusNode, depends_on, schema_method

WANTED = "clouds"


class Sky(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"cover": float})
    def look(self):
        return {"cover": 0.25}


class Solar(GraphBusNode):
    @depends_on("Sky.look")
    @schema_method(input_schema={"clouds": float}, output_schema={"kw": float})
    def plan(self, clouds):
        return {"kw": 4 * (1 - clouds)}


def plugged():
    return [c.__name__ for c in (Sky, Solar) for n, f in vars(c).items() if callable(f) and WANTED in inspect.signature(f).parameters]
