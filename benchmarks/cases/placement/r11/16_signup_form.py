# pure
"""Runs a fixed table of validators over the fields of one form; keeps nothing."""
import re
from collections.abc import Callable
from datetime import date

from graphbus_core import GraphBusNode, subscribe

Check = Callable[[str], str | None]


def matches(pattern: str, message: str) -> Check:
    compiled = re.compile(pattern)

    def check(value: str) -> str | None:
        return None if compiled.fullmatch(value) else message

    return check


def between(low: int, high: int) -> Check:
    def check(value: str) -> str | None:
        if low <= len(value) <= high:
            return None
        return f"must have {low} to {high} characters"

    return check


def iso_date(value: str) -> str | None:
    try:
        born = date.fromisoformat(value)
    except ValueError:
        return "is no date"
    return None if born.year >= 1900 else "is too long ago"


def not_common(value: str) -> str | None:
    return "is too common" if value.lower() in {"password", "letmein", "qwertz123"} else None


RULES: dict[str, tuple[Check, ...]] = {
    "login": (between(3, 20), matches(r"[a-z][a-z0-9_.-]*", "has characters that are not allowed")),
    "mail": (matches(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", "is no mail address"),),
    "password": (between(8, 72), not_common),
    "born": (iso_date,),
}


class SignupForm(GraphBusNode):
    @subscribe("/Signup/Form")
    def on_form(self, login: str, mail: str, password: str, born: str) -> dict:
        form = {"login": login.strip(), "mail": mail.strip().lower(), "password": password, "born": born}
        errors: dict[str, list[str]] = {}
        for name, checks in RULES.items():
            for check in checks:
                if message := check(form[name]):
                    errors.setdefault(name, []).append(message)
        return {"ok": not errors, "errors": errors, "mail": form["mail"]}
