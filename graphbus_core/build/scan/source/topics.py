"""What a node subscribes to and publishes: declared by its class, or found in the bodies of its methods."""

from __future__ import annotations

import ast
from typing import Any

from graphbus_core.build.scan.source.class_reading import ClassReading, Member
from graphbus_core.build.scan.source.contracts import Contracts
from graphbus_core.build.scan.source.modules import Module
from graphbus_core.build.scan.source.names import UNKNOWN
from graphbus_core.model.topic import Publication, Subscription, Topic
from graphbus_core.syntax import dotted


class Topics:
    """The subscriptions and publications of one class, in the order in which they were found."""

    def __init__(self, at: ClassReading, contracts: Contracts) -> None:
        self.at, self.contracts = at, contracts
        self.subscriptions = self._declared_subscriptions()
        self.publications: list[Publication] = []
        self._class_publications()

    def _declared_subscriptions(self) -> list[Subscription]:
        value = self.at.value("SUBSCRIBE")
        if value is UNKNOWN:
            self.at.leave_open("subscriptions", self.at.members["SUBSCRIBE"].node, "SUBSCRIBE is computed")
            return []
        if isinstance(value, str):
            value = [value]
        pairs = value.items() if isinstance(value, dict) else ((topic, "handle_event") for topic in value or ())
        return [Subscription(self.at.node.node.name, Topic(str(topic)), str(handler)) for topic, handler in pairs]

    def _class_publications(self) -> None:
        for found in self.at.node.lineage:
            assert isinstance(found.node, ast.ClassDef)
            for word, call, module, owner in self.at.decorators(found.node.decorator_list, found, None):
                if word == "publishes" and call is not None:
                    self.publish(call, module, owner, None)

    def subscribe(self, call: ast.Call, module: Module, scope: ast.ClassDef | None, method: str) -> None:
        """`@subscribe("/T", …)` above a method."""
        for topic in self.at.strings(call, module, scope, "subscriptions", "the topic of @subscribe is computed"):
            self.subscriptions.append(Subscription(self.at.node.node.name, Topic(topic), method))

    def publish(self, call: ast.Call, module: Module, owner: ast.ClassDef | None, method: str | None) -> None:
        """`@publishes("/T", payload)` above a class or a method."""
        words = {k.arg: k.value for k in call.keywords}
        named = call.args[0] if call.args else words.get("topic")
        topic = self.at.names.constant(module, named, owner)
        if not isinstance(topic, str):
            self.at.leave_open("publications", call, "the topic of @publishes is computed")
            return
        payload = call.args[1] if len(call.args) > 1 else words.get("payload")
        schema = self.contracts.schema(payload, module, owner, f"payload:{topic}") if payload is not None else None
        if not self._known(topic, method):
            self.publications.append(Publication(self.at.node.node.name, Topic(topic), schema, method, call.lineno))

    def _known(self, topic: str, method: str | None) -> bool:
        return any(p.topic.name == topic and p.method == method for p in self.publications)

    def find_published(self, name: str, member: Member) -> None:
        """`self.publish("/T", …)` in the body of a method."""
        assert member.owner.module is not None
        assert isinstance(member.node, ast.FunctionDef | ast.AsyncFunctionDef)
        arguments = [*member.node.args.posonlyargs, *member.node.args.args]
        if not arguments:
            return
        me = arguments[0].arg
        for at in ast.walk(member.node):
            if not isinstance(at, ast.Call) or not isinstance(at.func, ast.Attribute):
                continue
            if at.func.attr not in ("publish", "apublish") or dotted(at.func.value) not in (me, f"{me}.bus"):
                continue
            named = at.args[0] if at.args else next((k.value for k in at.keywords if k.arg == "topic"), None)
            topic = self._topic(named, me, member)
            if isinstance(topic, str) and not self._known(topic, name):
                self._found(topic, name, at.lineno)

    def _found(self, topic: str, method: str, lineno: int) -> None:
        for i, p in enumerate(self.publications):
            if p.topic.name == topic and p.method is None:  # declared on the class: now we know where it happens
                self.publications[i] = Publication(p.node_name, p.topic, p.schema, method, p.lineno)
                return
        self.publications.append(Publication(self.at.node.node.name, Topic(topic), None, method, lineno))

    def _topic(self, at: ast.expr | None, me: str, member: Member) -> Any:
        if isinstance(at, ast.Attribute) and dotted(at.value) in (me, f"type({me})", f"{me}.__class__"):
            return self.at.value(at.attr)
        assert member.owner.module is not None
        return self.at.names.constant(member.owner.module, at, None)
