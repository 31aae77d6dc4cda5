# pure
"""The context variable for the caller's country is set and put back within one event."""
import contextlib
import re
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Plan:
    code: str
    trunk: str
    international: str
    mobile: re.Pattern[str]
    groups: tuple[int, ...]


PLANS = {
    "DE": Plan("49", "0", "00", re.compile(r"1[567]\d"), (3, 4, 4)),
    "FR": Plan("33", "0", "00", re.compile(r"[67]"), (1, 2, 2, 2, 2)),
    "US": Plan("1", "1", "011", re.compile(r"(?!)"), (3, 3, 4)),
    "IT": Plan("39", "", "00", re.compile(r"3"), (3, 3, 4)),
}

home: ContextVar[Plan] = ContextVar("home", default=PLANS["DE"])


@contextlib.contextmanager
def calling_from(country: str) -> Iterator[None]:
    token = home.set(PLANS.get(country, home.get()))
    try:
        yield
    finally:
        home.reset(token)


def split(number: str) -> tuple[Plan, str]:
    plan = home.get()
    digits = re.sub(r"[^\d+]", "", re.sub(r"\(0\)", "", number))
    if digits.startswith("+"):
        digits = digits[1:]
    elif digits.startswith(plan.international):
        digits = digits[len(plan.international):]
    else:
        return plan, digits.removeprefix(plan.trunk)
    for other in PLANS.values():
        if digits.startswith(other.code):
            return other, digits[len(other.code):]
    raise LookupError("unknown country code")


def grouped(national: str, sizes: tuple[int, ...]) -> str:
    parts, at = [], 0
    for size in sizes:
        parts.append(national[at:at + size])
        at += size
    parts.append(national[at:])
    return " ".join(filter(None, parts))


class Directory(GraphBusNode):
    @subscribe("/contacts/phone")
    def on_phone(self, contact: str, number: str, country: str) -> dict[str, object]:
        with calling_from(country.upper()):
            try:
                plan, national = split(number)
            except LookupError as problem:
                return {"contact": contact, "error": str(problem)}
            return {
                "contact": contact,
                "e164": f"+{plan.code}{national}",
                "display": f"+{plan.code} {grouped(national, plan.groups)}",
                "mobile": bool(plan.mobile.match(national)),
                "abroad": plan is not home.get(),
            }
