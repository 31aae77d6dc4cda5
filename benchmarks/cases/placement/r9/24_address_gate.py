# stateful
"""Raises prebuilt exception objects and adds notes to them; the notes of earlier orders stay on the exception."""
import re

from graphbus_core import GraphBusNode, subscribe


class Rejected(ValueError):
    pass


NO_NAME = Rejected("name is missing")
NO_STREET = Rejected("street is missing")
BAD_CODE = Rejected("postcode does not fit the country")

CODES = {
    "DE": re.compile(r"\d{5}"),
    "NL": re.compile(r"\d{4} ?[A-Z]{2}"),
    "GB": re.compile(r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}"),
    "DK": re.compile(r"\d{4}"),
}


def check(name: str, street: str, code: str, country: str) -> None:
    if not name.strip():
        raise NO_NAME
    if not street.strip():
        raise NO_STREET
    pattern = CODES.get(country)
    if pattern is not None and not pattern.fullmatch(code):
        raise BAD_CODE


class AddressGate(GraphBusNode):
    @subscribe("/Address/Entered")
    def on_address(self, order: str, name: str, street: str, code: str, country: str) -> dict[str, object]:
        try:
            check(name, street, code, country)
        except Rejected as problem:
            problem.add_note(f"order {order}: {code or '-'} ({country})")
            return {"ok": False, "why": "; ".join([str(problem), *problem.__notes__])}
        return {"ok": True, "label": f"{name}, {street}, {code} {country}"}
