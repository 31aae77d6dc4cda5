# pure
"""Keeps nothing: the context variable is reset to what it was before the event ends."""
import html
import re
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import Iterator, Mapping

from graphbus_core import GraphBusNode, subscribe

BRANDS: Mapping[str, dict[str, str]] = {
    "acme": {"greeting": "Dear", "sign": "Acme Power"},
    "volt": {"greeting": "Hello", "sign": "Your Volt team"},
}
current: ContextVar[dict[str, str]] = ContextVar("current", default={"greeting": "To", "sign": "Grid office"})
HOLE = re.compile(r"\{\{\s*(?P<name>\w+)(?:\|(?P<filter>\w+))?\s*\}\}")
FILTERS = {"upper": str.upper, "title": str.title, "html": html.escape}


@contextmanager
def brand(name: str) -> Iterator[None]:
    token = current.set(BRANDS[name]) if name in BRANDS else None
    try:
        yield
    finally:
        if token is not None:
            current.reset(token)


def lookup(name: str, values: Mapping[str, str]) -> str:
    if name in current.get():
        return current.get()[name]
    return values[name]


def render(template: str, values: Mapping[str, str]) -> str:
    missing: list[str] = []

    def fill(match: re.Match[str]) -> str:
        try:
            text = lookup(match["name"], values)
        except KeyError:
            missing.append(match["name"])
            return "?"
        return FILTERS.get(match["filter"], str)(text)

    text = HOLE.sub(fill, template)
    if missing:
        raise LookupError(", ".join(sorted(set(missing))))
    return text


class TenantRender(GraphBusNode):
    @subscribe("/Letter/Render")
    def on_letter(self, tenant: str, template: str, values: dict[str, str]) -> dict[str, str]:
        try:
            with brand(tenant):
                text = copy_context().run(render, template, values)
        except LookupError as problem:
            return {"missing": problem.args[0], "sign": current.get()["sign"]}
        return {"text": text, "sign": current.get()["sign"]}
