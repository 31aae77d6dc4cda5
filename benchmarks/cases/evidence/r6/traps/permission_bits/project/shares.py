"""Folders that are shared, and whether they are shared too widely."""
import stat
from abc import ABC, abstractmethod
from typing import Iterable

from graphbus_core import GraphBusNode, depends_on, schema_method


class Backend(ABC):
    @abstractmethod
    def mode(self, name: str) -> str: ...

    def names(self) -> Iterable[str]:
        return ()


class Samba(Backend):
    table = {"private": "0700", "team": "0770"}

    def mode(self, name):
        return self.table[name]

    def names(self):
        return self.table


class Appliance(Backend):
    """The box in the cellar."""

    table = {"public": "511"}

    def mode(self, name):
        return self.table[name]

    def names(self):
        return self.table


class ShareService(GraphBusNode):
    def __init__(self, *backends: Backend):
        super().__init__()
        self.backends = backends or (Samba(), Appliance())

    @schema_method(input_schema={"name": str}, output_schema={"name": str, "mode": str})
    def describe(self, name):
        for backend in self.backends:
            if name in backend.names():
                return {"name": name, "mode": backend.mode(name)}
        raise LookupError(name)


class ModeChecker(GraphBusNode):
    @depends_on("ShareService.describe")
    @schema_method(
        input_schema={"name": str, "mode": int},
        output_schema={"world_writable": bool, "shown": str},
    )
    def check(self, name, mode):
        return {
            "world_writable": bool(mode & stat.S_IWOTH),
            "shown": stat.filemode(stat.S_IFDIR | mode),
        }
