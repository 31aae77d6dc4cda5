# pure
"""Keeps nothing: predicates are closures compiled from the event's own rules."""
import operator
from collections.abc import Callable, Iterable
from typing import Any

from graphbus_core import GraphBusNode, subscribe

Sample = dict[str, float]
Predicate = Callable[[Sample], bool]

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne,
}


def comparison(metric: str, symbol: str, threshold: float) -> Predicate:
    compare = COMPARE[symbol]

    def predicate(sample: Sample) -> bool:
        return metric in sample and compare(sample[metric], threshold)

    return predicate


def consecutive(inner: Predicate, needed: int) -> Predicate:
    """True once the inner predicate held for so many samples in a row."""
    run = 0

    def predicate(sample: Sample) -> bool:
        nonlocal run
        run = run + 1 if inner(sample) else 0
        return run >= needed

    return predicate


def compile_rule(rule: dict[str, Any]) -> Predicate:
    if "all" in rule:
        parts = [compile_rule(part) for part in rule["all"]]
        return lambda sample: all([part(sample) for part in parts])
    if "any" in rule:
        parts = [compile_rule(part) for part in rule["any"]]
        return lambda sample: any([part(sample) for part in parts])
    predicate = comparison(rule["metric"], rule["op"], rule["value"])
    return consecutive(predicate, rule["for"]) if rule.get("for", 1) > 1 else predicate


def firing(predicate: Predicate, samples: Iterable[Sample]) -> list[int]:
    return [number for number, sample in enumerate(samples) if predicate(sample)]


class AlertRules(GraphBusNode):
    @subscribe("/alert/evaluate")
    def on_batch(self, rules: dict[str, dict[str, Any]], samples: list[Sample]) -> dict[str, Any]:
        alerts, broken = {}, []
        for name, rule in sorted(rules.items()):
            try:
                hits = firing(compile_rule(rule), samples)
            except KeyError as error:
                broken.append(f"{name}: {error}")
                continue
            if hits:
                alerts[name] = {"first": hits[0], "count": len(hits)}
        return {"alerts": alerts, "broken": broken}
