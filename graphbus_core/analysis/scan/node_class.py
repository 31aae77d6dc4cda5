"""A node class as Python sees it: its members over all bases, their constants, the decorators of graphbus_core.

What cannot be told without running code is left open, with its slot and the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.analysis.scan.drafts import OpenSlot
from graphbus_core.analysis.scan.field_mappings import MAPPING_WORDS, MappingReader
from graphbus_core.analysis.scan.modules import Module
from graphbus_core.analysis.scan.names import UNKNOWN, NameKind, NameResolver, Resolution
from graphbus_core.analysis.scan.scanner import NodeClass
from graphbus_core.contracts import Contract
from graphbus_core.contracts.parsing import static
from graphbus_core.contracts.parsing.json_schema import SHAPES, is_likely_json_schema
from graphbus_core.errors import ContractError, ScanError
from graphbus_core.model.schema import Schema
from graphbus_core.model.topic import Publication, Subscription, Topic
from graphbus_core.suggestions import suggest_names
from graphbus_core.syntax import dotted_name, list_nodes

_WORDS = ("schema_method", "contract", "subscribe", "publishes", "depends_on")


@dataclass(frozen=True)
class Member:
    """A method or attribute as the class has it, with the class that defines it."""

    owner: Resolution
    node: ast.AST


class ClassReader:
    """One class being read. What every part of the reading asks: members, constants, decorators."""

    def __init__(self, names: NameResolver, node: NodeClass) -> None:
        self.names, self.node, self.module = names, node, node.module
        self.open: list[OpenSlot] = []
        self.members = self._collect_members()
        if node.doubt:
            self.leave_open("class", node.node, node.doubt)

    def _collect_members(self) -> dict[str, Member]:
        members: dict[str, Member] = {}
        for ancestor in reversed(self.node.lineage):
            assert isinstance(ancestor.node, ast.ClassDef)
            assert ancestor.module is not None
            body = self.names.read_body(ancestor.node, ancestor.module)
            for name in body.names:
                binding = body.get(name)
                if binding is None:
                    members.pop(name, None)
                    self.leave_open("class", ancestor.node, f"which `{name}` holds depends on a condition")
                elif isinstance(binding.to, ast.AST):
                    members.pop(name, None)
                    members[name] = Member(ancestor, binding.to)
        return members

    def read_value(self, name: str) -> Any:
        """A class attribute made of constants; None where there is none, UNKNOWN where it must be run."""
        member = self.members.get(name)
        if member is None:
            return None
        assert member.owner.module is not None
        return self.names.evaluate(member.owner.module, member.node, find_class_node(member.owner))

    def read_plain(self, name: str, default: Any) -> Any:
        value = self.read_value(name)
        if value is UNKNOWN:
            self.leave_open("attributes", self.members[name].node, f"{name} is computed")
            return default
        return default if value is None else value

    def read_text(self, name: str) -> str | None:
        value = self.read_plain(name, None)
        return value if isinstance(value, str) else None

    def read_strings(
        self, call: ast.Call, module: Module, scope: ast.ClassDef | None, slot: str, why: str
    ) -> list[str]:
        texts: list[str] = []
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            value = self.names.evaluate(module, argument, scope)
            if isinstance(value, str):
                texts.append(value)
            elif isinstance(value, list) and all(isinstance(v, str) for v in value):
                texts += value
            else:
                self.leave_open(slot, call, why)
        return texts

    def iter_decorators(
        self, decorators: list[ast.expr], owner: Resolution, method: str | None
    ) -> Iterator[tuple[str, ast.Call | None, Module, ast.ClassDef | None]]:
        """Those of graphbus_core: their word, the call if there is one, and where its names are to be looked up."""
        assert owner.module is not None
        scope = find_class_node(owner) if method is not None else owner.owner
        for decorator in decorators:
            yield from self._resolve_decorator(decorator, owner.module, scope, method, 0)

    def _resolve_decorator(
        self, decorator: ast.expr, module: Module, scope: ast.ClassDef | None, method: str | None, steps: int
    ) -> Iterator[tuple[str, ast.Call | None, Module, ast.ClassDef | None]]:
        call = decorator if isinstance(decorator, ast.Call) else None
        resolution = self.names.find(module, dotted_name(call.func if call else decorator), scope)
        if resolution is None:
            return
        if word := resolution.graphbus:
            yield word, call, module, scope
        elif (
            resolution.kind is NameKind.VALUE
            and isinstance(resolution.node, ast.Call)
            and resolution.module
            and steps < 5
        ):
            if call is None:  # `priced = schema_method(…)` and then `@priced`
                yield from self._resolve_decorator(
                    resolution.node, resolution.module, resolution.owner, method, steps + 1
                )
            elif any(resolution.module.mentions(word) for word in _WORDS):
                self.leave_open("class", decorator, f"`{dotted_name(call.func)}` must be run")
        elif (
            resolution.kind is NameKind.FUNCTION
            and resolution.module
            and any(resolution.module.mentions(word) for word in _WORDS)
        ):
            assert resolution.node is not None
            if any(word in ast.dump(resolution.node) for word in _WORDS):
                self.leave_open("class", decorator, f"the decorator `{resolution.name}` must be run")

    def leave_open(self, slot: str, node: ast.AST, reason: str) -> None:
        self.open.append(OpenSlot(slot, getattr(node, "lineno", self.node.node.lineno), reason))


def find_class_node(resolution: Resolution) -> ast.ClassDef | None:
    return resolution.node if isinstance(resolution.node, ast.ClassDef) else None


# The contracts that decorators declare, read from source: typed dicts, classes, JSON Schemas.


_KEYWORDS = ("input_schema", "output_schema", "description")
_SCHEMA_KEYS = frozenset(("type", "$schema", *SHAPES))


class ContractReader:
    """Reads contracts in the scope of one class."""

    def __init__(self, reading: ClassReader) -> None:
        self.at = reading

    def read_declared(
        self,
        call: ast.Call,
        module: Module,
        scope: ast.ClassDef | None,
        name: str,
        sides: dict[str, Schema | None],
        hinted: list[str],
    ) -> str | None:
        """Read what a decorator writes into `sides`; those that it leaves out are put into `hinted`."""
        words: dict[str | None, ast.expr] = dict(zip(("input_schema", "output_schema"), call.args, strict=False))
        words |= {k.arg: k.value for k in call.keywords}
        # A computed argument may be anything, so nothing of the call is believed; an import tells what it is.
        if None in words or any(isinstance(a, ast.Starred) for a in call.args):
            for side in sides:
                self.at.leave_open(f"method:{name}:{side}", call, "the arguments of @schema_method are computed")
            return None
        _check_keywords(call, words, module)
        for side in sides:
            argument = words.get(f"{side}_schema")
            if argument is None:
                hinted.append(side)
            # `None` written out is a promise too: nothing is declared here, and no hint may fill it in.
            if argument is not None and not (isinstance(argument, ast.Constant) and argument.value is None):
                sides[side] = self.read_schema(argument, module, scope, f"method:{name}:{side}")
        text = self.at.names.evaluate(module, words.get("description"), scope)
        return text if isinstance(text, str) else None

    def read_schema(self, node: ast.expr, module: Module, scope: ast.ClassDef | None, slot: str) -> Schema | None:
        if isinstance(node, ast.Constant) and node.value is None:
            return None
        if isinstance(node, ast.Call) and dotted_name(node.func).rpartition(".")[2] == "Schema":
            fields = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "fields"), None)
            node = fields if fields is not None else node
        value = self._read_written_out(node, module, scope)
        # A dict with the key `type` may be a contract with a field of that name; only one that looks like a schema is
        # read as one.
        if isinstance(value, dict) and is_likely_json_schema(value):
            read = _parse_json_schema(value, node)
        else:
            read = static.read(
                node, self.at.names.build_resolver(module, scope), side="input" if slot.endswith(":input") else "output"
            )
        if isinstance(read, static.NeedsImport):
            # An import may know what source does not. What it must tell is noted, with the place that could not be
            # read.
            self.at.leave_open(slot, node, f"`{read.expression[:60]}`: {read.reason}")
            return None
        schema = read.to_json_schema()
        return Schema(schema, module.extract_segment(node), schema.get("description"))

    def _read_written_out(self, node: ast.expr, module: Module, scope: ast.ClassDef | None) -> Any:
        """The value of what may be a JSON Schema: a dict, here or under a name, with a key that one would have."""
        resolution = (
            self.at.names.find(module, dotted_name(node), scope) if isinstance(node, ast.Name | ast.Attribute) else None
        )
        dict_node = resolution.node if resolution else node
        if not isinstance(dict_node, ast.Dict) or not any(
            isinstance(key, ast.Constant) and key.value in _SCHEMA_KEYS for key in dict_node.keys
        ):
            return None
        return self.at.names.evaluate(module, node, scope)


def _check_keywords(call: ast.Call, words: Mapping[str | None, ast.expr], module: Module) -> None:
    """A word that the decorator does not take: Python refuses it when the module is imported, and so do we, at once.

    Read past, `@schema_method(inputs=…)` would be a method that declares nothing, and nothing would be checked.
    """
    keywords = [str(word) for word in words]
    unknown = [word for word in keywords if word not in _KEYWORDS]
    if not unknown and len(call.args) <= 2:
        return
    name = dotted_name(call.func).rpartition(".")[2]
    near = suggest_names(unknown[0], _KEYWORDS) if unknown else []
    complaint = f"takes no {unknown[0]!r}" if unknown else f"takes two contracts, not {len(call.args)}"
    suggestion = f" Did you mean {near[0]!r}?" if near else ""
    raise ScanError(f"{module.path}:{call.lineno}: @{name} {complaint}; it takes {', '.join(_KEYWORDS)}.{suggestion}")


def _parse_json_schema(raw: dict[str, Any], node: ast.expr) -> Contract | static.NeedsImport:
    try:
        return Contract.from_json_schema(raw)
    except ContractError as e:
        return static.NeedsImport(str(e), "", node.lineno)


# What a node needs: `@depends_on`, `DEPENDS_ON`, and node classes in its type hints.


PLAIN_TYPES = frozenset(("str", "int", "float", "bool", "None", "dict", "list", "tuple", "set", "bytes", "Any"))


class Dependencies:
    """The nodes that one class depends on, as far as they were found. Keys are `module:Class` or names."""

    def __init__(self, reading: ClassReader, is_node: Callable[[Resolution], bool]) -> None:
        self.at, self._is_node = reading, is_node
        self.declared: dict[str, None] = {}
        self.hinted: dict[str, None] = {}
        self._read_class()

    def _read_class(self) -> None:
        for ancestor in self.at.node.lineage:
            assert isinstance(ancestor.node, ast.ClassDef)
            for word, call, module, owner in self.at.iter_decorators(ancestor.node.decorator_list, ancestor, None):
                if word == "depends_on" and call is not None:
                    self.declared.update(dict.fromkeys(self.read_names(call, module, owner, "depends_on")))
            assert ancestor.module is not None
            for statement in ancestor.node.body:
                if isinstance(statement, ast.AnnAssign):
                    self._collect_hints(statement.annotation, ancestor.module, ancestor.node)
        explicit = self.at.read_value("DEPENDS_ON")
        if isinstance(explicit, list):
            self.declared.update(dict.fromkeys(str(name) for name in explicit))

    def read_names(self, call: ast.Call, module: Module, scope: ast.ClassDef | None, slot: str) -> list[str]:
        names: list[str] = []
        for argument in [*call.args, *(k.value for k in call.keywords if k.arg not in MAPPING_WORDS)]:
            target = self.at.names.find(module, dotted_name(argument), scope) if dotted_name(argument) else None
            if target is not None and target.kind is NameKind.CLASS:
                names.append(target.key)
                continue
            value = self.at.names.evaluate(module, argument, scope)
            values = value if isinstance(value, list) else [value]
            if all(isinstance(v, str) for v in values):
                names += values
            else:
                self.at.leave_open(slot, call, "what @depends_on names is computed")
        return names

    def read_hints(self, function: ast.FunctionDef | ast.AsyncFunctionDef, owner: Resolution) -> None:
        assert owner.module is not None
        arguments = [
            *function.args.posonlyargs,
            *function.args.args,
            *function.args.kwonlyargs,
            function.args.vararg,
            function.args.kwarg,
        ]
        for argument in arguments:
            if argument is not None and argument.annotation is not None:
                self._collect_hints(argument.annotation, owner.module, find_class_node(owner))
        if function.returns is not None:
            self._collect_hints(function.returns, owner.module, find_class_node(owner))

    def _collect_hints(self, annotation: ast.expr, module: Module, owner: ast.ClassDef | None) -> None:
        if isinstance(annotation, ast.Name) and annotation.id in PLAIN_TYPES:
            return
        for node in ast.walk(annotation):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isprintable():
                try:
                    self._collect_hints(ast.parse(node.value, mode="eval").body, module, owner)
                except (SyntaxError, ValueError, RecursionError):
                    continue
            elif isinstance(node, ast.Name | ast.Attribute) and (name := dotted_name(node)) and name not in PLAIN_TYPES:
                resolution = self.at.names.find(module, name, owner) or _find_sibling(self.at.names, module, name)
                if resolution is not None and resolution.kind is NameKind.CLASS and self._is_node(resolution):
                    self.hinted[resolution.key] = None


def _find_sibling(names: NameResolver, module: Module, name: str) -> Resolution | None:
    """A class of the same file, for hints such as `"Fetcher"` under a condition."""
    bindings = module.namespace.names.get(name, ())
    node = next((b.to for b in bindings if isinstance(b.to, ast.ClassDef)), None)
    return Resolution(NameKind.CLASS, name, module, node) if node is not None else None


# What a node subscribes to and publishes: declared by its class, or found in the bodies of its methods.


class Topics:
    """The subscriptions and publications of one class, in the order in which they were found."""

    def __init__(self, reading: ClassReader, contracts: ContractReader) -> None:
        self.at, self.contracts = reading, contracts
        self.subscriptions = self._read_subscriptions()
        self.publications: list[Publication] = []
        self._read_class_publications()

    def _read_subscriptions(self) -> list[Subscription]:
        value = self.at.read_value("SUBSCRIBE")
        if value is UNKNOWN:
            self.at.leave_open("subscriptions", self.at.members["SUBSCRIBE"].node, "SUBSCRIBE is computed")
            return []
        if isinstance(value, str):
            value = [value]
        pairs = value.items() if isinstance(value, dict) else ((topic, "handle_event") for topic in value or ())
        return [Subscription(self.at.node.node.name, Topic(str(topic)), str(handler)) for topic, handler in pairs]

    def _read_class_publications(self) -> None:
        for ancestor in self.at.node.lineage:
            assert isinstance(ancestor.node, ast.ClassDef)
            for word, call, module, owner in self.at.iter_decorators(ancestor.node.decorator_list, ancestor, None):
                if word == "publishes" and call is not None:
                    self.publish(call, module, owner, None)

    def subscribe(self, call: ast.Call, module: Module, scope: ast.ClassDef | None, method: str) -> None:
        """`@subscribe("/T", …)` above a method."""
        mapping = MappingReader(self.at.names).read(call, module, scope)
        # Of what is given by name only the mapping and the key are no topics for certain.
        named = [k for k in call.keywords if k.arg != "key" and k.arg not in MAPPING_WORDS]
        topics = ast.Call(call.func, call.args, named)
        ast.copy_location(topics, call)
        for topic in self.at.read_strings(
            topics, module, scope, "subscriptions", "the topic of @subscribe is computed"
        ):
            self.subscriptions.append(Subscription(self.at.node.node.name, Topic(topic), method, mapping))

    def publish(self, call: ast.Call, module: Module, owner: ast.ClassDef | None, method: str | None) -> None:
        """`@publishes("/T", payload)` above a class or a method."""
        words = {k.arg: k.value for k in call.keywords}
        topic_node = call.args[0] if call.args else words.get("topic")
        topic = self.at.names.evaluate(module, topic_node, owner)
        if not isinstance(topic, str):
            self.at.leave_open("publications", call, "the topic of @publishes is computed")
            return
        payload = call.args[1] if len(call.args) > 1 else words.get("payload")
        schema = self.contracts.read_schema(payload, module, owner, f"payload:{topic}") if payload is not None else None
        if not self._is_known(topic, method):
            self.publications.append(Publication(self.at.node.node.name, Topic(topic), schema, method, call.lineno))

    def _is_known(self, topic: str, method: str | None) -> bool:
        return any(p.topic.name == topic and p.method == method for p in self.publications)

    def find_published(self, name: str, member: Member, output: Schema | None) -> None:
        """`self.publish("/T", …)` in the body of a method. `output`: the contract of what the method gives."""
        assert member.owner.module is not None
        assert isinstance(member.node, ast.FunctionDef | ast.AsyncFunctionDef)
        arguments = [*member.node.args.posonlyargs, *member.node.args.args]
        if not arguments:
            return
        me = arguments[0].arg
        for node in list_nodes(member.node.body):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr not in ("publish", "apublish") or dotted_name(node.func.value) not in (me, f"{me}.bus"):
                continue
            topic_node = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "topic"), None)
            topic = self._evaluate_topic(topic_node, me, member)
            if isinstance(topic, str) and not self._is_known(topic, name):
                self._add_publication(topic, name, node.lineno, output if _is_given_back(node, member.node) else None)

    def _add_publication(self, topic: str, method: str, lineno: int, schema: Schema | None) -> None:
        for i, p in enumerate(self.publications):
            if p.topic.name == topic and p.method is None:  # declared on the class: now we know where it happens
                self.publications[i] = Publication(p.node_name, p.topic, p.schema, method, p.lineno)
                return
        self.publications.append(Publication(self.at.node.node.name, Topic(topic), schema, method, lineno))

    def _evaluate_topic(self, node: ast.expr | None, me: str, member: Member) -> Any:
        if isinstance(node, ast.Attribute) and dotted_name(node.value) in (me, f"type({me})", f"{me}.__class__"):
            return self.at.read_value(node.attr)
        assert member.owner.module is not None
        return self.at.names.evaluate(member.owner.module, node, None)


def _is_given_back(call: ast.Call, function: ast.AST) -> bool:
    """`done = …; self.publish("/T", done); return done`: what is published is what the method gives, every time.

    Then the contract of the one is that of the other. Its name is bound once, and nothing but these two uses it whole.
    """
    payload = call.args[1] if len(call.args) > 1 else None
    if not isinstance(payload, ast.Name) or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    nodes = list(ast.walk(function))
    uses = [n for n in nodes if isinstance(n, ast.Name) and n.id == payload.id]
    returned = [n.value for n in nodes if isinstance(n, ast.Return)]
    read = {id(n.value) for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load)}
    whole = [n for n in uses if isinstance(n.ctx, ast.Load) and id(n) not in read]
    is_bound_once = sum(not isinstance(n.ctx, ast.Load) for n in uses) == 1
    return is_bound_once and bool(returned) and {id(n) for n in whole} == {id(payload), *map(id, returned)}
