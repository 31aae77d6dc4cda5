from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method


@dataclass
class MetaInfo:
    application_version: str
    minimum_version: str

    @property
    def applicationVersion(self) -> str:
        """The old name of application_version."""
        return self.application_version


class Nvr(GraphBusNode):
    @schema_method
    def info(self, host: str) -> MetaInfo:
        return MetaInfo("6.1.0", "5.0.0")
