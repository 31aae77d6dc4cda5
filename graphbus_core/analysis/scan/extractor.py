"""`MetadataExtractor`: source -> AgentDefinition (seed 002 §4.1); what an import must tell is left in `Draft.open`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from graphbus_core import syntax
from graphbus_core.analysis.scan.drafts import Draft
from graphbus_core.analysis.scan.field_mappings import MappingReader
from graphbus_core.analysis.scan.hints import HintReader
from graphbus_core.analysis.scan.modules import Module
from graphbus_core.analysis.scan.names import UNKNOWN, NameResolver, Resolution
from graphbus_core.analysis.scan.node_class import (
    ClassReader,
    ContractReader,
    Dependencies,
    Member,
    Topics,
    find_class_node,
)
from graphbus_core.analysis.scan.scanner import NodeClass, NodeScanner
from graphbus_core.analysis.scan.side_declarations import SideDeclarations
from graphbus_core.artifacts.placement import ClassSource, Placement, analyze_class, analyze_functions, record
from graphbus_core.errors import ScanError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.field_mapping import FieldMapping
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import MAPPINGS, OPEN_PARTS, PAYLOAD_PARAMETER, Parameter, Schema, SchemaMethod
from graphbus_core.model.topic import Publication
from graphbus_core.syntax import dotted_name, literal_text

if TYPE_CHECKING:
    from graphbus_core.analysis.scan.contracts_file import Declaration

# What a node inherits from GraphBusNode: no tools of its own, whoever overrides them.
# fmt: off
LIFE = frozenset((
    "handle_event", "publish", "apublish", "call", "acall", "on_start", "on_stop", "get_state", "set_state", "set_mode",
    "is_build_mode", "is_runtime_mode", "propose", "evaluate", "commit", "get_system_prompt", "get_subscriptions",
    "get_schema_methods", "get_dependencies",
))
# fmt: on
PROPERTIES = frozenset({"property", "cached_property", "setter", "getter", "deleter"})
_NOT_TOOLS = PROPERTIES | {"staticmethod", "classmethod"}
DECLARES = ("schema_method", "contract")
SPEAKS = ("propose", "evaluate", "commit")  # a node that overrides one speaks for itself (design §3)


class MetadataExtractor:
    """Reads node classes. Stateless but for what `NameResolver` remembers."""

    def __init__(self, names: NameResolver, beside: SideDeclarations | None = None) -> None:
        self.names, self.beside = names, beside or SideDeclarations()
        self.scanner = NodeScanner(names, self.beside.patterns)

    def extract(self, node: NodeClass) -> Draft:
        """Everything that the class declares."""
        return _DraftBuilder(ClassReader(self.names, node), self.scanner.is_node, self.beside).build()


class _DraftBuilder:
    """Puts together what the parts of a reading found."""

    def __init__(self, reading: ClassReader, is_node: Callable[[Resolution], bool], beside: SideDeclarations) -> None:
        self.at, self.beside = reading, beside
        self.contracts = ContractReader(reading)
        self.hinted = HintReader(reading.names)
        self.needs = Dependencies(reading, is_node)
        self.topics = Topics(reading, self.contracts)
        self.methods: list[SchemaMethod] = []
        self.order_keys: dict[str, str] = {}  # handlers that take events of one key in order, and the key
        self.unkept: dict[str, str] = {}  # overrides that cannot keep the contract: method -> why

    def build(self) -> Draft:
        node, class_node = self.at.node, self.at.node.node
        for name, member in self.at.members.items():
            if isinstance(member.node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._read_method(name, member, member.node)
        if node.plain:  # what a plain class calls MODEL or `commit` is its own business
            return self._build_plain(class_node)
        prompt, placement = self._read_prompt(), self._find_placement()
        declared = [need for need in self.needs.declared if need != node.found.key]
        hinted = [need for need in self.needs.hinted if need != node.found.key and need not in self.needs.declared]
        metadata: dict[str, Any] = {
            "is_arbiter": self.at.read_plain("IS_ARBITER", False) is True,
            "model": self.at.read_text("MODEL"),
            # A contract of that name is the component's own business, and no part in a negotiation.
            "overrides": [n for n in SPEAKS if n in self.at.members and n not in {m.name for m in self.methods}],
            **_describe_class(class_node),
            "hinted": hinted,  # which of depends_on are known from type hints alone
            **record(placement.alone),
            **({"order_keys": dict(self.order_keys)} if self.order_keys else {}),
        }
        if self.unkept:
            metadata["unreadable"] = dict(self.unkept)
        return Draft(
            self._build_agent(class_node, prompt, self.topics.publications, (*declared, *hinted), metadata),
            self.at.open,
            uses=placement.uses,
        )

    def _build_plain(self, class_node: ast.ClassDef) -> Draft:
        """A class or functions that take part as they are. What source does not tell of them stays undeclared."""
        node = self.at.node
        hinted = [need for need in self.needs.hinted if need != node.found.key]
        declared = [need for need in self.needs.declared if need not in hinted]
        placement = self._find_placement()
        metadata: dict[str, Any] = {
            "is_arbiter": False,
            "model": None,
            "overrides": [],
            **_describe_class(class_node),
            "hinted": hinted,
            "plain": node.plain,
            **record(placement.alone),
        }
        publications = [p for p in self.topics.publications if p.schema is not None]
        agent = self._build_agent(class_node, SystemPrompt(""), publications, (*declared, *hinted), metadata)
        return Draft(agent, uses=placement.uses)

    def _build_agent(
        self,
        class_node: ast.ClassDef,
        prompt: SystemPrompt,
        publications: Iterable[Publication],
        needs: tuple[str, ...],
        metadata: Mapping[str, Any],
    ) -> AgentDefinition:
        return AgentDefinition(
            name=class_node.name,
            module=self.at.module.name,
            class_name=self.at.node.found.name,
            source_file=self.at.module.path,
            source_code=self.at.module.extract_segment(
                class_node, min([class_node.lineno, *(d.lineno for d in class_node.decorator_list)])
            ),
            system_prompt=prompt,
            methods=tuple(self.methods),
            subscriptions=tuple(dict.fromkeys(self.topics.subscriptions)),
            publications=tuple(publications),
            depends_on=needs,
            metadata=metadata,
        )

    def _find_placement(self) -> Placement:
        """Whether several processes may share its work in a run over a bus, and if not why."""
        class_node, handlers = self.at.node.node, {s.handler_name for s in self.topics.subscriptions}
        if self.at.node.plain == "functions":
            names = [node.name for node in class_node.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
            return analyze_functions(self.at.module.name, names, self._load_module)
        lineage = [
            ClassSource(candidate.module.name, candidate.module.path, candidate.node)
            for candidate in self.at.node.lineage
            if candidate.module is not None and isinstance(candidate.node, ast.ClassDef)
        ]
        return analyze_class(lineage, handlers, self._load_module)

    def _load_module(self, name: str) -> tuple[str, str, ast.Module, bool] | None:
        own = self.at.node.module  # the file that is scanned, though its name be one of the standard library
        module = own if name == own.name else self.at.names.table.get(name)
        return None if module is None else (name, module.path, module.tree, module.is_package)

    def _read_prompt(self) -> SystemPrompt:
        member = self.at.members.get("SYSTEM_PROMPT")
        if member is None:
            return SystemPrompt("")
        assert member.owner.module is not None
        module, node = member.owner.module, member.node
        if isinstance(node, ast.Call) and dotted_name(node.func).rpartition(".")[2] == "SystemPrompt":
            words = dict(zip(("text", "role", "capabilities"), node.args, strict=False))
            words |= {k.arg: k.value for k in node.keywords if k.arg}
            values = {k: self.at.names.evaluate(module, v, find_class_node(member.owner)) for k, v in words.items()}
            if isinstance(values.get("text"), str) and UNKNOWN not in values.values():
                return SystemPrompt(values["text"], values.get("role"), tuple(values.get("capabilities") or ()))
        value = self.at.names.evaluate(module, node, find_class_node(member.owner))
        if isinstance(value, str):
            return SystemPrompt(value)
        self.at.leave_open("attributes", node, "SYSTEM_PROMPT is computed")
        return SystemPrompt("")

    def _find_calls(self, member: Member) -> list[str]:
        """`self.call("Node", "method", …)` in the body of a method, as `Node.method`."""
        assert member.owner.module is not None
        calls: dict[str, None] = {}
        for node in ast.walk(member.node):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(), attr="call" | "acall"), args=[first, second, *_]):
                    module, scope = member.owner.module, find_class_node(member.owner)
                    arguments = [self.at.names.evaluate(module, a, scope) for a in (first, second)]
                    if all(isinstance(n, str) for n in arguments):
                        calls[".".join(arguments)] = None
        return list(calls)

    def _read_method(self, name: str, member: Member, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        owner = member.owner
        assert owner.module is not None
        declaration = self._read_declaration(name, function, owner)
        if self.at.node.plain and not declaration.declared and _is_public(name, function):
            declaration.declared, declaration.hinted = True, list(declaration.sides)
            self._apply_hints(declaration, name, function, owner)
        if not declaration.declared:
            self._inherit(name, member, declaration)
        if not declaration.declared and self._is_handler(name):
            self._read_payload(declaration, function, owner)
        functions = self.at.node.plain == "functions"
        entry = self.beside.find_entry(self.at.module.name, name if functions else f"{self.at.node.found.name}.{name}")
        if entry is not None:
            self._apply_entry(entry, declaration, owner, function)
        if owner.module.mentions("publish"):
            self.topics.find_published(name, member, declaration.sides["output"])
        self.needs.read_hints(function, owner)
        marks = {dotted_name(d).rpartition(".")[2] for d in function.decorator_list}
        by_name = not name.startswith("_") and name not in LIFE and not marks & _NOT_TOOLS
        if not declaration.declared and not declaration.needs and not by_name:
            return
        self.methods.append(
            SchemaMethod(
                name=name,
                input_schema=declaration.sides["input"],
                output_schema=declaration.sides["output"],
                description=declaration.description or ast.get_docstring(function),
                parameters=_build_parameters(function, owner.module, drop_first="staticmethod" not in marks),
                depends_on=tuple(dict.fromkeys(declaration.needs)),
                lineno=function.lineno,
                end_lineno=function.end_lineno or function.lineno,
                is_async=isinstance(function, ast.AsyncFunctionDef),
                metadata=self._build_metadata(member, declaration, entry.places if entry and entry.sides else None),
            )
        )

    def _build_metadata(
        self, member: Member, declaration: _MethodDeclaration, beside: Mapping[str, str] | None
    ) -> dict[str, Any]:
        """What is kept of a method beside its contract: where it was inherited from, whom it calls by name, which
        parameter's hint is the contract of the payload, and `beside`, side -> where the contract is written, which is
        not the code."""
        owner = member.owner
        assert owner.module is not None
        metadata: dict[str, Any] = {}
        if owner.key != self.at.node.found.key:
            metadata["inherited_from"] = {
                "module": owner.module.name,
                "class_name": owner.name,
                "source_file": owner.module.path,
            }
        if owner.module.mentions("call(") and (calls := self._find_calls(member)):
            metadata["calls"] = calls
        if declaration.payload is not None:
            metadata[PAYLOAD_PARAMETER] = declaration.payload
        if declaration.open_parts:
            metadata[OPEN_PARTS] = list(dict.fromkeys(declaration.open_parts))
        if declaration.mappings:
            metadata[MAPPINGS] = {name: mapping.to_dict() for name, mapping in declaration.mappings.items()}
        return metadata | ({"beside": dict(beside)} if beside is not None else {})

    def _inherit(self, name: str, member: Member, declaration: _MethodDeclaration) -> None:
        """An override without a decorator keeps the contract of what it overrides, if it can be called the same way."""
        above = list(self.at.node.lineage)
        while above and above[0].key != member.owner.key:
            above.pop(0)
        for ancestor in above[1:]:
            assert ancestor.module is not None
            assert isinstance(ancestor.node, ast.ClassDef)
            binding = self.at.names.read_body(ancestor.node, ancestor.module).get(name)
            overridden = binding.to if binding is not None else None
            if not isinstance(overridden, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for word, call, module, scope in self.at.iter_decorators(overridden.decorator_list, ancestor, name):
                if word not in DECLARES:
                    continue
                if why := explain_incompatible_call(overridden, member.node):
                    if _may_get_more_arguments(member):
                        return
                    where = f"it overrides {ancestor.name}.{name} without @schema_method, and {why}"
                    self.unkept[name] = f"{where}; declare its own contract, or take the same arguments."
                    return
                self._declare(declaration, call, module, scope, name)
            if declaration.declared:
                self._apply_hints(declaration, name, overridden, ancestor)
                return

    def _read_declaration(
        self, name: str, function: ast.FunctionDef | ast.AsyncFunctionDef, owner: Resolution
    ) -> _MethodDeclaration:
        declaration = _MethodDeclaration()
        for word, call, module, scope in self.at.iter_decorators(function.decorator_list, owner, name):
            if word in DECLARES:
                self._declare(declaration, call, module, scope, name)
            elif call is None:
                continue
            elif word == "subscribe":
                self.order_keys.update(
                    (name, text) for k in call.keywords if k.arg == "key" and (text := literal_text(k.value))
                )
                self.topics.subscribe(call, module, scope, name)
            elif word == "publishes":
                self.topics.publish(call, module, scope, name)
            elif word == "depends_on":
                self._read_needs(declaration, call, module, scope, name)
        self._apply_hints(declaration, name, function, owner)
        return declaration

    def _read_needs(
        self,
        declaration: _MethodDeclaration,
        call: ast.Call,
        module: Module,
        scope: ast.ClassDef | None,
        name: str,
    ) -> None:
        """`@depends_on("Stock.level", map={…})` above a method."""
        names = self.needs.read_names(call, module, scope, f"method:{name}:depends_on")
        declaration.needs += names
        mapping = MappingReader(self.at.names).read(call, module, scope)
        if mapping is None:
            return
        if mapping.conversions:
            raise ScanError(
                f"{module.path}:{call.lineno}: @depends_on takes no convert: nothing is delivered there. Convert the "
                "value where it is handed over, or hear it by @subscribe."
            )
        if vague := next((need for need in names if "." not in need or ":" in need), None):
            raise ScanError(
                f"{module.path}:{call.lineno}: a mapping is of what one method gives; name it: "
                f'@depends_on("{vague.rpartition(":")[2]}.method", …).'
            )
        declaration.mappings |= dict.fromkeys(names, mapping)

    def _declare(
        self,
        declaration: _MethodDeclaration,
        call: ast.Call | None,
        module: Module,
        scope: ast.ClassDef | None,
        name: str,
    ) -> None:
        declaration.declared = True
        declaration.hinted = [] if call is not None else list(declaration.sides)
        if call is not None:
            text = self.contracts.read_declared(call, module, scope, name, declaration.sides, declaration.hinted)
            declaration.description = text or declaration.description

    def _apply_entry(
        self,
        entry: Declaration,
        declaration: _MethodDeclaration,
        owner: Resolution,
        function: ast.FunctionDef | ast.AsyncFunctionDef,
    ) -> None:
        """What the contracts file says; it wins over hints. Raises ScanError where a decorator says it too."""
        assert owner.module is not None
        resolve = self.at.names.build_full_resolver(self.at.names.build_resolver(owner.module, find_class_node(owner)))
        for side in entry.sides:
            if declaration.sides[side] is not None and side not in declaration.hinted:
                raise ScanError(
                    f"{entry.places[side]}: {entry.name} has its {side} contract in the code too, at "
                    f"{owner.module.path}:{function.lineno}. Keep one of them: two would come to differ."
                )
            declaration.sides[side] = entry.read_schema(side, resolve)
        if "input" in entry.sides:
            declaration.payload = None
        declaration.declared = True
        declaration.needs += entry.depends_on
        if entry.fields or entry.conversions:
            self._apply_mapping(entry, declaration)
        declaration.description = entry.description or declaration.description

    def _apply_mapping(self, entry: Declaration, declaration: _MethodDeclaration) -> None:
        """A mapping of the contracts file: of what the method hears, and of the methods that it depends on."""
        reader, method = MappingReader(self.at.names), entry.name.rpartition(".")[2]
        conversions = {
            field: reader.read_conversion(self._find_function(function), function, field, entry.place)
            for field, function in entry.conversions.items()
        }
        mapping = FieldMapping(entry.fields, conversions)
        heard = [s for s in self.topics.subscriptions if s.handler_name == method]
        fed = [need for need in declaration.needs if "." in need and ":" not in need]
        if any(s.mapping is not None for s in heard) or declaration.mappings:
            raise ScanError(f"{entry.place}: {entry.name} has a mapping in the code too. Keep one of them.")
        if not heard and (conversions or not fed):
            what = (
                "converted: write a handler of a topic" if fed else "mapped: it hears no topic and depends on no method"
            )
            raise ScanError(f"{entry.place}: nothing that {entry.name} takes can be {what}.")
        self.topics.subscriptions[:] = [
            replace(s, mapping=mapping) if s in heard else s for s in self.topics.subscriptions
        ]
        declaration.mappings |= dict.fromkeys(fed, FieldMapping(entry.fields, {})) if entry.fields else {}

    def _find_function(self, name: str) -> Resolution | None:
        """What `module:function` names."""
        module_name, _, function = name.partition(":")
        module = self.at.names.table.get(module_name)
        return self.at.names.find(module, function) if module is not None else None

    def _apply_hints(
        self,
        declaration: _MethodDeclaration,
        name: str,
        function: ast.FunctionDef | ast.AsyncFunctionDef,
        owner: Resolution,
    ) -> None:
        """Fill in what the decorator leaves to the hints."""
        assert owner.module is not None
        for side in declaration.hinted:
            if side == "input" and self._is_handler(name):
                self._read_payload(declaration, function, owner)
            else:
                scope = find_class_node(owner)
                declaration.sides[side] = self.hinted.read_side(side, function, owner.module, scope)

    def _read_payload(
        self, declaration: _MethodDeclaration, function: ast.FunctionDef | ast.AsyncFunctionDef, owner: Resolution
    ) -> None:
        """The contract of a handler that writes none: the hint of the parameter that takes the payload."""
        assert owner.module is not None
        read = self.hinted.read_payload(function, owner.module, find_class_node(owner), declaration.open_parts)
        if read is not None:
            declaration.payload, declaration.sides["input"] = read
            declaration.hinted = list(dict.fromkeys([*declaration.hinted, "input"]))
            declaration.declared = True

    def _is_handler(self, name: str) -> bool:
        return any(s.handler_name == name for s in self.topics.subscriptions)


# Decorators after which a method takes what its `def` says.
PLAIN_DECORATORS = frozenset(
    {*DECLARES, "subscribe", "publishes", "depends_on", "contract", "override", "final", "abstractmethod"}
    | {"staticmethod", "classmethod", "dataclass", "total_ordering", "runtime_checkable", "deprecated"}
)


def _may_get_more_arguments(member: Member) -> bool:
    """Whether a decorator that nobody here knows stands around a method or its class: it may hand in arguments of its
    own (`@use_context`), so that a longer `def` is not a fault, and the contract is not known.
    """
    around = [member.node, member.owner.node]
    decorators = [d for node in around for d in getattr(node, "decorator_list", ())]
    callables = [d.func if isinstance(d, ast.Call) else d for d in decorators]
    return any(dotted_name(d).rpartition(".")[2] not in PLAIN_DECORATORS for d in callables)


def _describe_class(class_node: ast.ClassDef) -> dict[str, Any]:
    return {
        "bases": [ast.unparse(base) for base in class_node.bases],
        "lineno": class_node.lineno,
        "end_lineno": class_node.end_lineno,
    }


def _is_public(name: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method of a plain class is one that others call. Names of GraphBusNode are the runtime's own."""
    marks = {dotted_name(d).rpartition(".")[2] for d in function.decorator_list}
    return not name.startswith("_") and name not in LIFE and not marks & PROPERTIES


@dataclass
class _MethodDeclaration:
    """What the decorators of one method say."""

    declared: bool = False
    description: str | None = None
    sides: dict[str, Schema | None] = field(default_factory=lambda: {"input": None, "output": None})
    needs: list[str] = field(default_factory=list)
    hinted: list[str] = field(default_factory=list)  # sides that the decorator leaves to the hints
    payload: str | None = None  # the parameter whose hint is the contract of the payload
    open_parts: list[str] = field(default_factory=list)  # of that hint what cannot be read, with the reason
    mappings: dict[str, FieldMapping] = field(default_factory=dict)  # of the producers in `needs`


def explain_incompatible_call(base: ast.AST, override: ast.AST) -> str:
    """Why a call that fits `base` may not fit `override`; empty where every such call does."""
    if not isinstance(base, ast.FunctionDef | ast.AsyncFunctionDef):
        return ""
    if not isinstance(override, ast.FunctionDef | ast.AsyncFunctionDef):
        return ""  # `use = other`: who writes that means it
    old, new = base.args, override.args
    old_names = {a.arg for a in (*old.args[1:], *old.kwonlyargs)}
    new_names = {a.arg for a in (*new.args[1:], *new.kwonlyargs)}
    positional = [*new.posonlyargs, *new.args]
    needed = {a.arg for a in positional[1 : len(positional) - len(new.defaults)]}
    needed |= {a.arg for a, d in zip(new.kwonlyargs, new.kw_defaults, strict=True) if d is None}
    if lost := sorted(old_names - new_names) if new.kwarg is None else []:
        return f"it does not take {', '.join(map(repr, lost))}"
    if more := sorted(needed - old_names):
        return f"it needs {', '.join(map(repr, more))} as well"
    return ""


def _build_parameters(
    function: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, drop_first: bool
) -> tuple[Parameter, ...]:
    """The signature without `self`."""
    return tuple(
        Parameter(
            name=a.arg,
            kind=kind,
            annotation=module.extract_segment(a.annotation) if a.annotation is not None else None,
            default=module.extract_segment(default) if default is not None else None,
        )
        for a, kind, default in syntax.list_parameters(function.args, bound=drop_first)
    )
