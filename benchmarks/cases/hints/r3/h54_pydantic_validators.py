"""Validators, a computed field, private and class attributes - and what a model leaves out."""
from typing import Annotated, ClassVar, Optional

from pydantic import AfterValidator, BaseModel, PrivateAttr, computed_field, field_validator, model_validator

from graphbus_core import GraphBusNode, subscribe


def _even(v: int) -> int:
    if v % 2:
        raise ValueError("odd")
    return v


class Window(BaseModel):
    unit: ClassVar[str] = "s"
    _cache: dict = PrivateAttr(default_factory=dict)

    start: int
    stop: int
    step: Annotated[int, AfterValidator(_even)] = 2
    label: Optional[str]

    @field_validator("label")
    @classmethod
    def _no_blank(cls, v: Optional[str]) -> Optional[str]:
        if v is not None and " " in v:
            raise ValueError("blank in label")
        return v

    @model_validator(mode="after")
    def _ordered(self) -> "Window":
        if self.stop < self.start:
            raise ValueError("stop before start")
        return self

    @computed_field
    @property
    def length(self) -> int:
        return self.stop - self.start


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Window) -> None: ...


GOOD = [
    {"start": 1, "stop": 2, "label": None},
    {"start": 1, "stop": 1, "label": "l", "step": 4},
    {"start": -5, "stop": 5, "label": "", "length": "ignored", "unit": 3},
]
BAD = [
    {"start": 1, "stop": 2},
    {"start": 2, "stop": 1, "label": None},
    {"start": 1, "stop": 2, "label": None, "step": 3},
    {"start": 1, "stop": 2, "label": "a b"},
    {"start": None, "stop": 2, "label": None},
    {"start": "one", "stop": 2, "label": None},
]
