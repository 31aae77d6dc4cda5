"""A registry of apps and what deploys them."""
import re
import warnings
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Entry:
    name: str = field(metadata={"formerly": "label"})
    region: str = field(default="us")


def from_old(**old):
    """Makes an entry out of arguments in the words of before the rename."""
    for known in Entry.__dataclass_fields__.values():
        former = known.metadata.get("formerly")
        if former in old:
            warnings.warn(f"{former} is now {known.name}", DeprecationWarning, stacklevel=2)
            old[known.name] = old.pop(former)
    return Entry(**old)


class AppRegistry(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.entries = [from_old(label="train"), Entry("resize", "eu")]

    @schema_method(input_schema={"number": int}, output_schema={"name": str, "region": str})
    def entry(self, number):
        entry = self.entries[number]
        return {"name": entry.name, "region": entry.region}


class Deployer(GraphBusNode):
    @depends_on("AppRegistry.entry")
    @schema_method(input_schema={"label": str, "region": str}, output_schema={"url": str})
    def deploy(self, label, region):
        if not re.fullmatch(r"[a-z][a-z0-9-]{1,30}", label):
            raise ValueError(label)
        return {"url": f"{label}.{region}.apps.example"}
