from pydantic import AliasChoices, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from graphbus_core import GraphBusNode, subscribe


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)
    first_name: str
    age_years: int | None = None


class Doc(BaseModel):
    id_: str = Field(alias="_id")
    author: Camel
    size: int = Field(validation_alias=AliasChoices("size", "len"))
    kind: str = Field("k", serialization_alias="knd")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Doc) -> None: ...


GOOD = [
    {"_id": "1", "author": {"firstName": "f"}, "size": 1},
    {"_id": "1", "author": {"firstName": "f", "ageYears": 3}, "len": 1, "kind": "x"},
    {"_id": "1", "author": {"firstName": "f", "ageYears": None}, "size": 0},
]
BAD = [
    {"id_": "1", "author": {"firstName": "f"}, "size": 1},
    {"_id": "1", "author": {"first_name": "f"}, "size": 1},
    {"_id": "1", "author": {"firstName": "f"}},
    {"_id": "1", "author": {"firstName": "f", "ageYears": "old"}, "size": 1},
    {"_id": "1", "author": {"firstName": "f"}, "len": None},
    {"_id": "1", "author": {"firstName": "f"}, "size": 1, "kind": None},
]
