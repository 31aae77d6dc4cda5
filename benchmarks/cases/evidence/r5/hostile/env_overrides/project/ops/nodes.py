import inspect
import os

from graphbus_core import GraphBusNode, depends_on, schema_method


class Profile(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"replicas": int, "port": int})
    def load(self, name):
        return {"replicas": 3 if name == "prod" else 1, "port": 80}


class Deploy(GraphBusNode):
    @depends_on("Profile.load")
    @schema_method(input_schema={"instances": int, "port": int}, output_schema={"yaml": str})
    def render(self, instances, port):
        return {"yaml": f"n: {instances}, p: {port}"}


def with_environment(method, **given):
    for name in inspect.signature(method).parameters:
        if text := os.environ.get("APP_" + name.upper()):
            given[name] = int(text)
    return method(**given)
