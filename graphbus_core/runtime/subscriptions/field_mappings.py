"""A mapping at run time: each event reaches the handler under the handler's own names, converted where asked for.

The event itself stays as it was published: for the other handlers, the journal, and the dead letter.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.errors import MappingFailed
from graphbus_core.model.field_mapping import rename_fields
from graphbus_core.model.message import Event
from graphbus_core.text import shorten

MAX_SHOWN = 80  # characters of a value in an error


@dataclass(frozen=True)
class DeliveryMapping:
    """`fields` is {consumer field: published field}, `conversions` {consumer field: function}."""

    fields: Mapping[str, str]
    conversions: Mapping[str, Callable[[Any], Any]]

    @classmethod
    def from_subscription(cls, subscription: Mapping[str, Any], load: Callable[[str], Any]) -> DeliveryMapping | None:
        """That of a subscription of a build, None where it has none. `load` gives a module of the build; a conversion
        may be the function itself."""
        if "map" not in subscription and "convert" not in subscription:
            return None
        conversions = {}
        for field, conversion in subscription.get("convert", {}).items():
            if not callable(conversion):
                module, _, name = conversion["function"].partition(":")
                conversion = getattr(load(module), name)
            conversions[field] = conversion
        return cls(subscription.get("map", {}), conversions)

    def wrap(self, call: Callable[[Event], Any], name: str) -> Callable[[Event], Any]:
        """`call`, given the event with the payload that the handler of that name wants."""

        def handler(event: Event) -> Any:
            own = copy.copy(event)
            own.payload = self.deliver(event.payload, f"{name} on {event.topic}")
            return call(own)

        return handler

    def deliver(self, payload: Mapping[str, Any], where: str) -> dict[str, Any]:
        """A payload as it is delivered. Raises MappingFailed, which names the mapping."""
        delivered = rename_fields(payload, self.fields)
        for field, convert in self.conversions.items():
            if field in delivered:
                value = delivered[field]
                try:
                    delivered[field] = convert(value)
                except Exception as e:
                    source = self.fields.get(field, field)
                    raise MappingFailed(
                        f"{where}: the mapping of {field} from {source}: {_get_name(convert)}({_show(value)}) raised "
                        f"{type(e).__name__}: {e}",
                        field,
                    ) from e
        return delivered


def _get_name(convert: Callable[[Any], Any]) -> str:
    return getattr(convert, "__name__", "the conversion")


def _show(value: Any) -> str:
    try:
        return shorten(repr(value), MAX_SHOWN)
    except Exception:  # whatever an object does when it is shown
        return type(value).__name__
