# stateful
"""One handler registers templates in a module table which the other handler reads."""
from collections.abc import Callable
from string import Template

from graphbus_core import GraphBusNode, subscribe

Formatter = Callable[[dict[str, str]], str]
formatters: dict[str, Formatter] = {}


def formatter(kind: str) -> Callable[[Formatter], Formatter]:
    def register(func: Formatter) -> Formatter:
        formatters[kind] = func
        return func
    return register


@formatter("plain")
def plain(fields: dict[str, str]) -> str:
    return ", ".join(f"{key}={fields[key]}" for key in sorted(fields))


@formatter("count")
def count(fields: dict[str, str]) -> str:
    return f"{len(fields)} fields"


class Webhooks(GraphBusNode):
    @subscribe("/hooks/template")
    def on_template(self, kind: str, text: str) -> dict[str, object]:
        template = Template(text)
        formatter(kind)(template.safe_substitute)
        return {"kind": kind, "holes": sorted(template.get_identifiers())}

    @subscribe("/hooks/message")
    def on_message(self, kind: str, fields: dict[str, str]) -> dict[str, str]:
        render = formatters.get(kind, plain)
        return {"kind": kind, "text": render(fields)}
