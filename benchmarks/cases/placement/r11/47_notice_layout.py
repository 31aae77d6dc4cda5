# pure
"""Wraps notices with text wrappers that are set up once and never altered; keeps nothing of the events."""
from string import Template
from textwrap import TextWrapper, dedent

from graphbus_core import GraphBusNode, subscribe

_WRAPPERS = {
    "sms": TextWrapper(width=40, max_lines=4, placeholder=" …"),
    "letter": TextWrapper(width=64, initial_indent="  ", break_long_words=False),
    "board": TextWrapper(width=24, break_on_hyphens=False),
}
_TEMPLATES = {
    "reminder": Template("Dear $name, please remember that $what is due on $day."),
    "closing": Template(dedent("""\
        Dear $name, the branch in $place stays closed on $day because of $what.
        We apologise for the inconvenience.""")),
    "plain": Template("$what"),
}


def _missing(template: Template, values: dict[str, str]) -> list[str]:
    return sorted(set(template.get_identifiers()) - values.keys())


def _fill(template: Template, values: dict[str, str]) -> str:
    escaped = {k: v.replace("\n", " ") for k, v in values.items()}
    return template.safe_substitute(escaped)


class NoticeLayout(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._default = _WRAPPERS["letter"]

    @subscribe("/Notice/Compose")
    def on_compose(self, kind: str, medium: str, values: dict[str, str]) -> dict:
        template = _TEMPLATES.get(kind, _TEMPLATES["plain"])
        missing = _missing(template, values)
        wrapper = _WRAPPERS.get(medium, self._default)
        lines = [line for part in _fill(template, values).splitlines() for line in wrapper.wrap(part)]
        return {"lines": lines, "missing": missing, "width": max(map(len, lines), default=0)}
