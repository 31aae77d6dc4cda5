# pure
"""Keeps nothing: the descriptors store their values in the form object, which lives for one event."""
import re
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from graphbus_core import GraphBusNode, subscribe

T = TypeVar("T")


class Field(Generic[T]):
    def __init__(self, convert: Callable[[Any], T], *, required: bool = True, default: T | None = None) -> None:
        self.convert = convert
        self.required = required
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.slot = f"_{name}"

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        return instance.__dict__.get(self.slot, self.default)

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.slot] = self.convert(value)


def pattern(expression: str) -> Callable[[Any], str]:
    compiled = re.compile(expression)

    def convert(value: Any) -> str:
        text = str(value).strip()
        if compiled.fullmatch(text) is None:
            raise ValueError(f"{text!r} has the wrong form")
        return text

    return convert


class CustomerForm:
    name = Field(pattern(r"\S.{0,60}"))
    postcode = Field(pattern(r"\d{4,5}"))
    age = Field(int, required=False, default=0)
    newsletter = Field(bool, required=False, default=False)

    @classmethod
    def fields(cls) -> list[Field[Any]]:
        return [value for value in vars(cls).values() if isinstance(value, Field)]

    def fill(self, data: dict[str, Any]) -> dict[str, str]:
        errors: dict[str, str] = {}
        for field in self.fields():
            if field.name not in data:
                if field.required:
                    errors[field.name] = "required"
                continue
            try:
                setattr(self, field.name, data[field.name])
            except (ValueError, TypeError) as error:
                errors[field.name] = str(error)
        return errors


class CustomerForms(GraphBusNode):
    @subscribe("/customer/form")
    def on_form(self, data: dict[str, Any]) -> dict[str, Any]:
        form = CustomerForm()
        if errors := form.fill(data):
            return {"ok": False, "errors": errors}
        return {"ok": True, "values": {field.name: getattr(form, field.name) for field in form.fields()}}
