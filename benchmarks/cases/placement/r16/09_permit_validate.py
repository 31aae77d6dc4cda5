# pure
"""Keeps nothing: rules are registered while the module is loaded and only read afterwards."""
import operator
from contextlib import ExitStack
from functools import partial
from typing import Any, Callable, Iterator

from graphbus_core import GraphBusNode, subscribe

Rule = Callable[[Any], Iterator[str]]
RULES: dict[str, list[Rule]] = {}


def rule(field: str) -> Callable[[Rule], Rule]:
    def register(function: Rule) -> Rule:
        RULES.setdefault(field, []).append(function)
        return function
    return register


def compare(field: str, test: Callable[[Any, Any], bool], limit: Any, message: str) -> None:
    def check(test: Callable, limit: Any, message: str, value: Any) -> Iterator[str]:
        if not test(value, limit):
            yield message.format(value=value, limit=limit)
    RULES.setdefault(field, []).append(partial(check, test, limit, message))


compare("storeys", operator.le, 4, "{value} storeys, {limit} allowed")
compare("height", operator.lt, 15.5, "height {value} reaches {limit}")
compare("use", lambda value, allowed: value in allowed, ("house", "shop"), "use {value} not zoned")


@rule("neighbours")
def consent(value: list[str]) -> Iterator[str]:
    for name in sorted(set(value)):
        if not name.endswith("+"):
            yield f"no consent of {name}"


class Findings:
    def __init__(self) -> None:
        self.path: list[str] = []
        self.messages: list[str] = []

    def entered(self, name: str) -> ExitStack:
        stack = ExitStack()
        self.path.append(name)
        stack.callback(self.path.pop)
        return stack

    def visit(self, document: dict[str, Any]) -> "Findings":
        for key, value in document.items():
            with self.entered(key):
                if isinstance(value, dict):
                    self.visit(value)
                for check in RULES.get(key, ()):
                    self.messages += (f"{'.'.join(self.path)}: {text}" for text in check(value))
        return self


class PermitValidate(GraphBusNode):
    @subscribe("/Permit/Application")
    def on_application(self, document: dict[str, Any]) -> dict[str, object]:
        findings = Findings().visit(document)
        return {"granted": not findings.messages, "messages": findings.messages}
