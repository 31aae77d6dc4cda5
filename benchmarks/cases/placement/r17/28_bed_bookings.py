# pure
"""Keeps nothing: the descriptors write into the booking's own dictionary, and the rules are registered while the module loads."""
import re
from collections.abc import Callable
from datetime import date

from graphbus_core import GraphBusNode, subscribe

RULES: dict[str, "type[Rule]"] = {}


class Rule:
    max_nights = 30

    def __init_subclass__(cls, ward: str) -> None:
        RULES[ward] = cls

    def problems(self, booking: "Booking") -> list[str]:
        return ["stay is too long"] if booking.nights > self.max_nights else []


class Children(Rule, ward="children"):
    def problems(self, booking: "Booking") -> list[str]:
        found = super().problems(booking)
        if booking.age >= 18:
            found.append("patient is an adult")
        return found


class Intensive(Rule, ward="intensive"):
    max_nights = 14


class Checked:
    """Converts on assignment and counts how often a field has been corrected."""

    def __init__(self, convert: Callable[[str], object]) -> None:
        self.convert = convert

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: object, owner: type) -> object:
        return self if instance is None else instance.__dict__.get(self.name)

    def __set__(self, instance: "Booking", value: str) -> None:
        store = instance.__dict__
        store["corrections"] = store.get("corrections", -4) + 1
        store[self.name] = self.convert(value)


def patient_number(text: str) -> str:
    if not (match := re.fullmatch(r"[Pp]?[- ]?(\d{1,6})", text.strip())):
        raise ValueError(f"bad patient number {text!r}")
    return f"P-{int(match[1]):06d}"


class Booking:
    patient = Checked(patient_number)
    age = Checked(int)
    start = Checked(date.fromisoformat)
    end = Checked(date.fromisoformat)

    @property
    def nights(self) -> int:
        return (self.end - self.start).days


class BedBookings(GraphBusNode):
    @subscribe("/Hospital/Booking")
    def on_booking(self, ward: str, values: dict[str, str], corrected: dict[str, str]) -> dict[str, object]:
        booking = Booking()
        try:
            for name, value in (*values.items(), *corrected.items()):
                if not isinstance(vars(Booking).get(name), Checked):
                    raise ValueError(f"unknown field {name}")
                setattr(booking, name, value)
            problems = RULES[ward]().problems(booking)
        except KeyError:
            return {"error": f"unknown ward {ward}"}
        except (ValueError, TypeError) as error:
            return {"error": str(error)}
        return {
            "patient": booking.patient,
            "nights": booking.nights,
            "corrections": booking.__dict__["corrections"],
            "problems": problems,
        }
