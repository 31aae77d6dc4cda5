# stateful
"""The mixin puts the fields that are filled in on the node itself, so an empty field shows what the patient before had there."""
from string import Template
from typing import Any

from graphbus_core import GraphBusNode, subscribe

CARD = Template("$patient | $ward | allergies: $allergies | diet: $diet")


class Bindable:
    """Makes the fields of an event readable as attributes, for use in templates."""

    def bind(self, **fields: Any) -> "Bindable":
        vars(self).update({name: value for name, value in fields.items() if value})
        return self

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def keys(self) -> list[str]:
        return [name for name in ("patient", "ward", "allergies", "diet") if hasattr(self, name)]


class WardCards(Bindable, GraphBusNode):
    patient = "unknown"
    ward = "reception"
    allergies = "none"
    diet = "normal"

    def render(self) -> str:
        return CARD.substitute(dict(self))

    @subscribe("/Ward/Card")
    def on_card(self, patient: str, ward: str, allergies: str, diet: str) -> dict[str, object]:
        card = self.bind(
            patient=patient.strip(),
            ward=ward.strip().lower(),
            allergies=allergies.strip(),
            diet=diet.strip(),
        ).render()  # type: ignore[attr-defined]
        return {"card": card, "red": "allergies: none" not in card}
