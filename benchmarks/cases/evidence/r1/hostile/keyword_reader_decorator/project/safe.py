import functools

from graphbus_core import GraphBusNode, depends_on, schema_method

LOG = []


def masked(f):
    @functools.wraps(f)
    def inner(self, **kwargs):
        LOG.append({k: "***" if k == "pin" else v for k, v in kwargs.items()})
        return f(self, **kwargs)

    return inner


class Keypad(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"code": str, "door": int})
    def enter(self):
        return {"code": "1234", "door": 2}


class Safe(GraphBusNode):
    @depends_on("Keypad.enter")
    @schema_method(input_schema={"pin": str, "door": int}, output_schema={"open": bool})
    @masked
    def unlock(self, pin, door):
        return {"open": pin == "1234"}
