# stateful
"""The context variable set by an event that names its tenant is never reset and serves the events that name none."""
from __future__ import annotations

import re
from contextvars import ContextVar
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Tenant:
    key: str
    language: str
    decimal_comma: bool


TENANTS = {t.key: t for t in (
    Tenant("acme", "en", False), Tenant("bauer", "de", True), Tenant("dupont", "fr", True))}
GREETING = {"en": "Dear {name},", "de": "Guten Tag {name},", "fr": "Bonjour {name},"}
AMOUNT = re.compile(r"\b(\d+)\.(\d{2})\b")
current: ContextVar[Tenant] = ContextVar("tenant", default=TENANTS["acme"])


def enter(headers: dict[str, str]) -> None:
    key = headers.get("x-tenant", "").lower()
    if key in TENANTS:
        current.set(TENANTS[key])


def localise(text: str) -> str:
    if current.get().decimal_comma:
        return AMOUNT.sub(r"\1,\2", text)
    return text


def greeting(name: str) -> str:
    return GREETING[current.get().language].format(name=name.title())


class MailMerge(GraphBusNode):
    @subscribe("/Mail/Merge")
    def on_merge(self, headers: dict[str, str], name: str, body: str) -> dict[str, str]:
        enter({key.lower(): value for key, value in headers.items()})
        return {"text": f"{greeting(name)}\n{localise(body)}"}
