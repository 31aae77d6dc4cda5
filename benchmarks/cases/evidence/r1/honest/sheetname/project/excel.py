from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method
from pydantic import AliasChoices, BaseModel, Field


class Opened(TypedDict):
    path: str
    author: str
    sheet_name: str


class ReadJob(BaseModel):
    path: str
    # `sheet_name` since 0.21
    sheetname: str = Field(validation_alias=AliasChoices("sheetname", "sheet_name"))


class Book(GraphBusNode):
    @schema_method
    def open(self, path: str) -> Opened:
        return {"path": path, "author": "Ida", "sheet_name": "Q1"}


class Table(GraphBusNode):
    @depends_on("Book.open")
    @schema_method(input_schema={"path": str, "sheetname": str}, output_schema={"cells": str})
    def read(self, path, sheetname):
        job = ReadJob(path=path, sheetname=sheetname)
        return {"cells": f"{job.path}#{job.sheetname}"}
