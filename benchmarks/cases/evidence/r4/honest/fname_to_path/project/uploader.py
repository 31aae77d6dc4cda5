from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class UploaderResult(TypedDict):
    url: str


class Uploader(GraphBusNode):
    @depends_on("Exporter.export")
    @schema_method
    def put(self, fname: str) -> UploaderResult:
        """Put a file.

        >>> from exporter import Exporter
        >>> done = Exporter().export("df")
        >>> Uploader().put(fname=done["path"])
        {'url': 's3://b/df.dta'}
        """
        return {"url": "s3://b/" + fname}
