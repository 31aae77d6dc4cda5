from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Info(TypedDict):
    url: str
    default_branch: str


class Repo(GraphBusNode):
    @schema_method
    def info(self, name: str) -> Info:
        return {"url": f"git://x/{name}", "default_branch": "main"}


class Clone(GraphBusNode):
    @depends_on("Repo.info")
    @schema_method
    def run(self, url: str, branch: str) -> dict[str, str]:
        return {"cmd": f"git clone -b {branch} {url}"}
