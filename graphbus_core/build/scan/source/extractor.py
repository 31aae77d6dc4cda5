"""`MetadataExtractor`: source -> AgentDefinition (seed 002 §4.1); what an import must tell is left in `Draft.open`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.build.scan.source.modules import Module
from graphbus_core.build.scan.source.names import UNKNOWN, Found, Kind, Names, dotted
from graphbus_core.build.scan.source.scanner import NodeClass, NodeScanner
from graphbus_core.contracts import Contract
from graphbus_core.contracts.reading import static
from graphbus_core.contracts.reading.dialects import looks_like_json_schema
from graphbus_core.errors import ContractError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Parameter, Schema, SchemaMethod
from graphbus_core.model.topic import Publication, Subscription, Topic

# What a node inherits from GraphBusNode: no tools of its own, whoever overrides them.
# fmt: off
LIFE = frozenset((
    "handle_event", "publish", "apublish", "call", "acall", "on_start", "on_stop", "get_state", "set_state", "set_mode",
    "is_build_mode", "is_runtime_mode", "propose", "evaluate", "commit", "get_system_prompt", "get_subscriptions",
    "get_schema_methods", "get_dependencies",
))
PLAIN_TYPES = frozenset(("str", "int", "float", "bool", "None", "dict", "list", "tuple", "set", "bytes", "Any"))
# fmt: on
SPEAKS = ("propose", "evaluate", "commit")  # a node that overrides one speaks for itself (design §3)


@dataclass(frozen=True)
class Open:
    """Something that only an import can tell. `slot` says what: `class`, `method:clean:input`, `prompt`, …"""

    slot: str
    lineno: int
    reason: str


@dataclass
class Draft:
    """A definition whose `depends_on` may still hold `module:Class`, and what is open about it."""

    agent: AgentDefinition
    open: list[Open] = field(default_factory=list)
    text: str = ""  # the agent in the form of agents.json, where that is known


@dataclass(frozen=True)
class _Member:
    """A method or attribute as the class has it, with the class that defines it."""

    owner: Found
    node: ast.AST


class MetadataExtractor:
    """Reads node classes. Stateless but for what `Names` remembers."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.scanner = NodeScanner(names)

    def extract(self, node: NodeClass) -> Draft:
        """Everything that the class declares."""
        return _Reading(self, node).draft()


class _Reading:
    """One class being read."""

    def __init__(self, extractor: MetadataExtractor, node: NodeClass) -> None:
        self.names = extractor.names
        self.is_node = extractor.scanner.is_node
        self.node = node
        self.module = node.module
        self.open: list[Open] = []
        self.members = self._members()
        self.needs: dict[str, None] = {}
        self.hinted: dict[str, None] = {}
        if node.doubt:
            self._leave_open("class", node.node, node.doubt)

    def draft(self) -> Draft:
        node, at = self.node, self.node.node
        functions = [
            (name, m) for name, m in self.members.items() if isinstance(m.node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        self._class_needs()
        methods: list[SchemaMethod] = []
        subscriptions = self._declared_subscriptions()
        publications = self._class_publications()
        for name, member in functions:
            self._read_method(name, member, methods, subscriptions, publications)
        prompt = self._prompt()
        first = min([at.lineno, *(d.lineno for d in at.decorator_list)])
        declared = [need for need in self.needs if need != node.found.key]
        hinted = [need for need in self.hinted if need != node.found.key and need not in self.needs]
        metadata: dict[str, Any] = {
            "is_arbiter": self._plain("IS_ARBITER", False) is True,
            "model": self._text("MODEL"),
            "overrides": [name for name in SPEAKS if name in self.members],
            "bases": [ast.unparse(base) for base in at.bases],
            "lineno": at.lineno,
            "end_lineno": at.end_lineno,
            "hinted": hinted,  # which of depends_on are known from type hints alone
        }
        agent = AgentDefinition(
            name=at.name,
            module=self.module.name,
            class_name=node.found.name,
            source_file=self.module.path,
            source_code=self.module.segment(at, first),
            system_prompt=prompt,
            methods=tuple(methods),
            subscriptions=tuple(dict.fromkeys(subscriptions)),
            publications=tuple(publications),
            depends_on=(*declared, *hinted),
            metadata=metadata,
        )
        return Draft(agent, self.open)

    # ---- members, as Python finds them

    def _members(self) -> dict[str, _Member]:
        members: dict[str, _Member] = {}
        for found in reversed(self.node.lineage):
            assert isinstance(found.node, ast.ClassDef)
            assert found.module is not None
            body = self.names.body(found.node, found.module)
            for name in body.names:
                binding = body.get(name)
                if binding is None:
                    members.pop(name, None)
                    self._leave_open("class", found.node, f"which `{name}` holds depends on a condition")
                elif isinstance(binding.to, ast.AST):
                    members.pop(name, None)
                    members[name] = _Member(found, binding.to)
        return members

    def _value(self, name: str) -> Any:
        """A class attribute made of constants; None where there is none, UNKNOWN where it must be run."""
        member = self.members.get(name)
        if member is None:
            return None
        assert member.owner.module is not None
        return self.names.constant(member.owner.module, member.node, _body(member.owner))

    def _plain(self, name: str, default: Any) -> Any:
        value = self._value(name)
        if value is UNKNOWN:
            self._leave_open("attributes", self.members[name].node, f"{name} is computed")
            return default
        return default if value is None else value

    def _text(self, name: str) -> str | None:
        value = self._plain(name, None)
        return value if isinstance(value, str) else None

    def _prompt(self) -> SystemPrompt:
        member = self.members.get("SYSTEM_PROMPT")
        if member is None:
            return SystemPrompt("")
        assert member.owner.module is not None
        module, at = member.owner.module, member.node
        if isinstance(at, ast.Call) and dotted(at.func).rpartition(".")[2] == "SystemPrompt":
            words = dict(zip(("text", "role", "capabilities"), at.args, strict=False))
            words |= {k.arg: k.value for k in at.keywords if k.arg}
            values = {k: self.names.constant(module, v, _body(member.owner)) for k, v in words.items()}
            if isinstance(values.get("text"), str) and UNKNOWN not in values.values():
                return SystemPrompt(values["text"], values.get("role"), tuple(values.get("capabilities") or ()))
        value = self.names.constant(module, at, _body(member.owner))
        if isinstance(value, str):
            return SystemPrompt(value)
        self._leave_open("attributes", at, "SYSTEM_PROMPT is computed")
        return SystemPrompt("")

    # ---- topics

    def _declared_subscriptions(self) -> list[Subscription]:
        value = self._value("SUBSCRIBE")
        if value is UNKNOWN:
            self._leave_open("subscriptions", self.members["SUBSCRIBE"].node, "SUBSCRIBE is computed")
            return []
        if isinstance(value, str):
            value = [value]
        pairs = value.items() if isinstance(value, dict) else ((topic, "handle_event") for topic in value or ())
        return [Subscription(self.node.node.name, Topic(str(topic)), str(handler)) for topic, handler in pairs]

    def _class_publications(self) -> list[Publication]:
        made: list[Publication] = []
        for found in self.node.lineage:
            assert isinstance(found.node, ast.ClassDef)
            for word, call, module, owner in self._decorators(found.node.decorator_list, found, None):
                if word == "publishes" and call is not None:
                    self._publication(call, module, owner, None, made)
        return made

    def _publication(
        self, call: ast.Call, module: Module, owner: ast.ClassDef | None, method: str | None, made: list[Publication]
    ) -> None:
        words = {k.arg: k.value for k in call.keywords}
        named = call.args[0] if call.args else words.get("topic")
        topic = self.names.constant(module, named, owner)
        if not isinstance(topic, str):
            self._leave_open("publications", call, "the topic of @publishes is computed")
            return
        payload = call.args[1] if len(call.args) > 1 else words.get("payload")
        schema = self._schema(payload, module, owner, f"payload:{topic}") if payload is not None else None
        if not any(p.topic.name == topic and p.method == method for p in made):
            made.append(Publication(self.node.node.name, Topic(topic), schema, method, call.lineno))

    def _found_publications(self, name: str, member: _Member, made: list[Publication]) -> None:
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
            if isinstance(topic, str) and not any(p.topic.name == topic and p.method == name for p in made):
                declared = next((i for i, p in enumerate(made) if p.topic.name == topic and p.method is None), None)
                if declared is None:
                    made.append(Publication(self.node.node.name, Topic(topic), None, name, at.lineno))
                else:  # declared on the class: now we know where it happens
                    p = made[declared]
                    made[declared] = Publication(p.node_name, p.topic, p.schema, name, p.lineno)

    def _found_calls(self, member: _Member) -> list[str]:
        """`self.call("Node", "method", …)` in the body of a method, as `Node.method`."""
        assert member.owner.module is not None
        found: dict[str, None] = {}
        for at in ast.walk(member.node):
            match at:
                case ast.Call(func=ast.Attribute(value=ast.Name(), attr="call" | "acall"), args=[first, second, *_]):
                    module, scope = member.owner.module, _body(member.owner)
                    named = [self.names.constant(module, a, scope) for a in (first, second)]
                    if all(isinstance(n, str) for n in named):
                        found[".".join(named)] = None
        return list(found)

    def _topic(self, at: ast.expr | None, me: str, member: _Member) -> Any:
        if isinstance(at, ast.Attribute) and dotted(at.value) in (me, f"type({me})", f"{me}.__class__"):
            return self._value(at.attr)
        assert member.owner.module is not None
        return self.names.constant(member.owner.module, at, None)

    # ---- methods

    def _read_method(
        self,
        name: str,
        member: _Member,
        methods: list[SchemaMethod],
        subscriptions: list[Subscription],
        publications: list[Publication],
    ) -> None:
        at, owner = member.node, member.owner
        assert isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef)
        assert owner.module is not None
        sides: dict[str, Schema | None] = {"input": None, "output": None}
        described: str | None = None
        declared, needs = False, list[str]()
        for word, call, module, scope in self._decorators(at.decorator_list, owner, name):
            if word == "schema_method":
                declared = True
                if call is not None:
                    described = self._contract(call, module, scope, name, sides) or described
            elif call is None:
                continue
            elif word == "subscribe":
                for topic in self._strings(call, module, scope, "subscriptions", "the topic of @subscribe is computed"):
                    subscriptions.append(Subscription(self.node.node.name, Topic(topic), name))
            elif word == "publishes":
                self._publication(call, module, scope, name, publications)
            elif word == "depends_on":
                needs += self._needed(call, module, scope, f"method:{name}:depends_on")
        if owner.module.mentions("publish"):
            self._found_publications(name, member, publications)
        calls = self._found_calls(member) if owner.module.mentions("call(") else []
        self._hinted_needs(at, owner)
        marks = {dotted(d).rpartition(".")[2] for d in at.decorator_list}
        plain = not marks & _NOT_TOOLS
        if not declared and not needs and (name.startswith("_") or name in LIFE or not plain):
            return
        metadata: dict[str, Any] = {}
        if owner.key != self.node.found.key:
            metadata["inherited_from"] = {
                "module": owner.module.name,
                "class_name": owner.name,
                "source_file": owner.module.path,
            }
        if calls:
            metadata["calls"] = calls
        methods.append(
            SchemaMethod(
                name=name,
                input_schema=sides["input"],
                output_schema=sides["output"],
                description=described or ast.get_docstring(at),
                parameters=_parameters(at, owner.module, drop_first="staticmethod" not in marks),
                depends_on=tuple(dict.fromkeys(needs)),
                lineno=at.lineno,
                end_lineno=at.end_lineno or at.lineno,
                is_async=isinstance(at, ast.AsyncFunctionDef),
                metadata=metadata,
            )
        )

    def _contract(
        self, call: ast.Call, module: Module, scope: ast.ClassDef | None, name: str, sides: dict[str, Schema | None]
    ) -> str | None:
        words: dict[str | None, ast.expr] = dict(zip(("input_schema", "output_schema"), call.args, strict=False))
        words |= {k.arg: k.value for k in call.keywords}
        if None in words or any(isinstance(a, ast.Starred) for a in call.args):
            for side in sides:
                self._leave_open(f"method:{name}:{side}", call, "the arguments of @schema_method are computed")
            return None
        for side in sides:
            at = words.get(f"{side}_schema")
            if at is not None and not (isinstance(at, ast.Constant) and at.value is None):
                sides[side] = self._schema(at, module, scope, f"method:{name}:{side}")
        text = self.names.constant(module, words.get("description"), scope)
        return text if isinstance(text, str) else None

    def _schema(self, at: ast.expr, module: Module, scope: ast.ClassDef | None, slot: str) -> Schema | None:
        if isinstance(at, ast.Constant) and at.value is None:
            return None
        if isinstance(at, ast.Call) and dotted(at.func).rpartition(".")[2] == "Schema":
            fields = at.args[0] if at.args else next((k.value for k in at.keywords if k.arg == "fields"), None)
            at = fields if fields is not None else at
        written = self._written_out(at, module, scope)
        if isinstance(written, dict) and looks_like_json_schema(written):
            read = _json_schema(written, at)
        else:
            read = static.read(
                at, self.names.resolver(module, scope), side="input" if slot.endswith(":input") else "output"
            )
        if isinstance(read, static.NeedsImport):
            self._leave_open(slot, at, f"`{read.expression[:60]}`: {read.reason}")
            return None
        schema = read.to_json_schema()
        return Schema(schema, module.segment(at), schema.get("description"))

    def _written_out(self, at: ast.expr, module: Module, scope: ast.ClassDef | None) -> Any:
        """The value of what may be a JSON Schema: a dict, here or under a name, with a key that one would have."""
        found = self.names.find(module, dotted(at), scope) if isinstance(at, ast.Name | ast.Attribute) else None
        shown = found.node if found else at
        if not isinstance(shown, ast.Dict) or not any(
            isinstance(key, ast.Constant) and key.value in _SCHEMA_KEYS for key in shown.keys
        ):
            return None
        return self.names.constant(module, at, scope)

    def _strings(self, call: ast.Call, module: Module, scope: ast.ClassDef | None, slot: str, why: str) -> list[str]:
        found: list[str] = []
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            value = self.names.constant(module, argument, scope)
            if isinstance(value, str):
                found.append(value)
            elif isinstance(value, list) and all(isinstance(v, str) for v in value):
                found += value
            else:
                self._leave_open(slot, call, why)
        return found

    # ---- what the node needs

    def _class_needs(self) -> None:
        for found in self.node.lineage:
            assert isinstance(found.node, ast.ClassDef)
            for word, call, module, owner in self._decorators(found.node.decorator_list, found, None):
                if word == "depends_on" and call is not None:
                    self.needs.update(dict.fromkeys(self._needed(call, module, owner, "depends_on")))
            assert found.module is not None
            for at in found.node.body:
                if isinstance(at, ast.AnnAssign):
                    self._hints(at.annotation, found.module, found.node)
        explicit = self._value("DEPENDS_ON")
        if isinstance(explicit, list):
            self.needs.update(dict.fromkeys(str(name) for name in explicit))

    def _needed(self, call: ast.Call, module: Module, scope: ast.ClassDef | None, slot: str) -> list[str]:
        found: list[str] = []
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            target = self.names.find(module, dotted(argument), scope) if dotted(argument) else None
            if target is not None and target.kind is Kind.CLASS:
                found.append(target.key)
                continue
            value = self.names.constant(module, argument, scope)
            values = value if isinstance(value, list) else [value]
            if all(isinstance(v, str) for v in values):
                found += values
            else:
                self._leave_open(slot, call, "what @depends_on names is computed")
        return found

    def _hinted_needs(self, at: ast.FunctionDef | ast.AsyncFunctionDef, owner: Found) -> None:
        assert owner.module is not None
        arguments = [*at.args.posonlyargs, *at.args.args, *at.args.kwonlyargs, at.args.vararg, at.args.kwarg]
        for argument in arguments:
            if argument is not None and argument.annotation is not None:
                self._hints(argument.annotation, owner.module, _body(owner))
        if at.returns is not None:
            self._hints(at.returns, owner.module, _body(owner))

    def _hints(self, annotation: ast.expr, module: Module, owner: ast.ClassDef | None) -> None:
        if isinstance(annotation, ast.Name) and annotation.id in PLAIN_TYPES:
            return
        for at in ast.walk(annotation):
            if isinstance(at, ast.Constant) and isinstance(at.value, str) and at.value.isprintable():
                try:
                    self._hints(ast.parse(at.value, mode="eval").body, module, owner)
                except (SyntaxError, ValueError, RecursionError):
                    continue
            elif isinstance(at, ast.Name | ast.Attribute) and (name := dotted(at)) and name not in PLAIN_TYPES:
                found = self.names.find(module, name, owner) or _sibling(self.names, module, name)
                if found is not None and found.kind is Kind.CLASS and self.is_node(found):
                    self.hinted[found.key] = None

    # ---- decorators

    def _decorators(
        self, decorators: list[ast.expr], owner: Found, method: str | None
    ) -> Iterator[tuple[str, ast.Call | None, Module, ast.ClassDef | None]]:
        """Those of graphbus_core: their word, the call if there is one, and where its names are to be looked up."""
        assert owner.module is not None
        scope = _body(owner) if method is not None else owner.owner
        for at in decorators:
            yield from self._decorator(at, owner.module, scope, method, 0)

    def _decorator(
        self, at: ast.expr, module: Module, scope: ast.ClassDef | None, method: str | None, steps: int
    ) -> Iterator[tuple[str, ast.Call | None, Module, ast.ClassDef | None]]:
        call = at if isinstance(at, ast.Call) else None
        found = self.names.find(module, dotted(call.func if call else at), scope)
        if found is None:
            return
        if word := found.graphbus:
            yield word, call, module, scope
        elif found.kind is Kind.VALUE and isinstance(found.node, ast.Call) and found.module and steps < 5:
            if call is None:  # `priced = schema_method(…)` and then `@priced`
                yield from self._decorator(found.node, found.module, found.owner, method, steps + 1)
            elif any(found.module.mentions(word) for word in _WORDS):
                self._leave_open("class", at, f"`{dotted(call.func)}` must be run")
        elif found.kind is Kind.FUNCTION and found.module and any(found.module.mentions(word) for word in _WORDS):
            assert found.node is not None
            if any(word in ast.dump(found.node) for word in _WORDS):
                self._leave_open("class", at, f"the decorator `{found.name}` must be run")

    def _leave_open(self, slot: str, at: ast.AST, reason: str) -> None:
        self.open.append(Open(slot, getattr(at, "lineno", self.node.node.lineno), reason))


_SCHEMA_KEYS = frozenset(("type", "$schema", "$ref", "properties", "anyOf", "oneOf", "allOf"))
_WORDS = ("schema_method", "subscribe", "publishes", "depends_on")
_NOT_TOOLS = frozenset({"property", "cached_property", "setter", "getter", "deleter", "staticmethod", "classmethod"})


def _body(found: Found) -> ast.ClassDef | None:
    return found.node if isinstance(found.node, ast.ClassDef) else None


def _json_schema(written: dict[str, Any], at: ast.expr) -> Contract | static.NeedsImport:
    try:
        return Contract.from_json_schema(written)
    except ContractError as e:
        return static.NeedsImport(str(e), "", at.lineno)


def _sibling(names: Names, module: Module, name: str) -> Found | None:
    """A class of the same file, for hints such as `"Fetcher"` under a condition."""
    bindings = module.namespace.names.get(name, ())
    node = next((b.to for b in bindings if isinstance(b.to, ast.ClassDef)), None)
    return Found(Kind.CLASS, name, module, node) if node is not None else None


def _parameters(at: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, drop_first: bool) -> tuple[Parameter, ...]:
    """The signature without `self`."""
    args = at.args
    positional = [(a, "positional_only") for a in args.posonlyargs]
    positional += [(a, "positional_or_keyword") for a in args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults)) + list(args.defaults)
    rows: list[tuple[ast.arg, str, ast.expr | None]] = [
        (a, kind, default) for (a, kind), default in zip(positional, defaults, strict=True)
    ]
    if rows and drop_first:
        rows = rows[1:]
    if args.vararg:
        rows.append((args.vararg, "var_positional", None))
    rows += [(a, "keyword_only", d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    if args.kwarg:
        rows.append((args.kwarg, "var_keyword", None))
    return tuple(
        Parameter(
            name=a.arg,
            kind=kind,
            annotation=module.segment(a.annotation) if a.annotation is not None else None,
            default=module.segment(default) if default is not None else None,
        )
        for a, kind, default in rows
    )
