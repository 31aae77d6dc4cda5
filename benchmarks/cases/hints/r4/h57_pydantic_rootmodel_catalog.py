from typing import Annotated, Any, Literal, Union

from pydantic import BaseModel, Discriminator, Field, RootModel, Tag

from graphbus_core import GraphBusNode, subscribe


class Simple(BaseModel):
    price: Annotated[float, Field(gt=0)]


class Bundle(BaseModel):
    parts: "list[Product]" = Field(min_length=2)
    mode: Literal["all", "any"] = "all"


def _shape(v: Any) -> str:
    if isinstance(v, dict):
        return "bundle" if "parts" in v else "simple"
    return "bundle" if isinstance(v, Bundle) else "simple"


class Product(RootModel[Annotated[
    Union[Annotated[Simple, Tag("simple")], Annotated[Bundle, Tag("bundle")]],
    Discriminator(_shape),
]]):
    pass


class Catalog(RootModel[dict[Annotated[str, Field(pattern="^[a-z]+$")], Product]]):
    pass


Bundle.model_rebuild()


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Catalog) -> None: ...


GOOD = [
    {},
    {"pen": {"price": 2}},
    {"kit": {"parts": [{"price": 1.5}, {"price": 2.5}], "mode": "any"}},
    {"kit": {"parts": [{"price": 1.5}, {"parts": [{"price": 1}, {"price": 2}]}]}, "pen": {"price": 0.5}},
]
BAD = [
    {"pen": {"price": 0}},
    {"PEN": {"price": 2.5}},
    {"kit": {"parts": [{"price": 1.5}]}},
    {"kit": {"parts": [{"price": 1.5}, {"parts": [{"price": 1}, {"price": -2}]}]}},
    {"kit": {"parts": [{"price": 1.5}, {"price": 2.5}], "mode": "none"}},
    {"pen": {}},
]
