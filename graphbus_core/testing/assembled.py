"""A runtime of node classes as they stand in a test, with no build: what the decorators say is what counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core import decorators
from graphbus_core.contracts import Contract
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.assembly import Assembly
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.handling.checks import MethodContract, PayloadChecks


class Assembled(RuntimeExecutor):
    """`RuntimeExecutor`, with classes in place of artifacts."""

    def __init__(self, classes: Sequence[type[GraphBusNode]], payload_checks: str = "enforce", **settings: Any) -> None:
        self._classes, self._mode = classes, payload_checks
        super().__init__(".", **settings)

    def _assembled(self, *parts: Any) -> Assembly:
        return _OfClasses(self._classes, self._mode, *parts)


class _OfClasses(Assembly):
    """What is read from a build elsewhere is read from classes here."""

    def __init__(self, classes: Sequence[type[GraphBusNode]], mode: str, *parts: Any) -> None:
        super().__init__(*parts)
        # By class name, as the build names them, so that a test and a build publish to the same names.
        self._classes = {kind.__name__: kind for kind in classes}
        self._mode = mode
        self.doors = None  # there is no newer build to be reloaded

    def open_build(self) -> Any:
        """There is none."""

    def load_artifacts(self) -> None:
        """Read the decorators."""
        self.agent_defs, self.topics = [], []
        self.subscriptions = []
        methods: dict[tuple[str, str], MethodContract] = {}
        topics: dict[str, Mapping[str, Any]] = {}
        for name, kind in self._classes.items():
            for topic, handler in _subscriptions(kind):
                self.subscriptions.append({"agent": name, "topic": topic, "handler": handler})
            for method, record in kind.get_schema_methods().items():
                methods[name, method] = MethodContract(
                    _schema(record["input_schema"], "input"), _schema(record["output_schema"], "output")
                )
            for member in vars(kind).values():
                for topic, payload in getattr(member, decorators.PUBLICATIONS, ()):
                    if payload is not None:
                        topics[topic] = _schema(payload, "output") or {}
        self._outputs_of = {key: one.output for key, one in methods.items() if one.output is not None}
        heard = {s["topic"] for s in self.subscriptions}
        mode = self._mode if methods or topics else "off"
        # A topic that nobody hears has no handler to protect. Enforcing there would refuse what runs well in a build.
        self.checks = PayloadChecks("warn" if mode == "enforce" and not heard else mode, topics, methods, heard)
        self.checks.declared = heard

    def build_names(self) -> frozenset[str]:
        """The classes, whether they run here or not."""
        return frozenset(self._classes)

    def kinds(self) -> dict[str, type[GraphBusNode]]:
        """The classes, those first that others depend on."""
        order: dict[str, type[GraphBusNode]] = {}

        def add(name: str, above: frozenset[str]) -> None:
            # Circles of dependencies are possible. Whoever is above already is not waited for.
            if name in order or name in above or name not in self._classes:
                return
            for needed in self._classes[name].get_dependencies():
                add(needed.partition(".")[0], above | {name})
            if name not in self.stand_ins and (self.chosen is None or name in self.chosen):
                order[name] = self._classes[name]

        for name in self._classes:
            add(name, frozenset())
        return order

    def _outputs(self, name: str) -> dict[str, Any]:
        return {method: schema for (node, method), schema in self._outputs_of.items() if node == name}


def _subscriptions(kind: type[GraphBusNode]) -> list[tuple[str, str]]:
    """(topic, handler) pairs, as the build reads them."""
    declared = kind.SUBSCRIBE
    # Both forms of the declaration, as the build reads them: a list means the usual handler.
    if isinstance(declared, Mapping):
        found = list(declared.items())
    else:
        found = [(topic, "handle_event") for topic in declared]
    for name in dir(kind):
        for topic in getattr(getattr(kind, name, None), decorators.SUBSCRIPTIONS, ()):
            found.append((topic, name))
    return found


def _schema(annotations: Any, side: str) -> dict[str, Any] | None:
    if annotations is None:
        return None
    made = Contract.from_annotations(annotations, side=side).to_json_schema()
    return made if isinstance(made, dict) else None
