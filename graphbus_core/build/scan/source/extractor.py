"""`MetadataExtractor`: source -> AgentDefinition (seed 002 §4.1); what an import must tell is left in `Draft.open`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from graphbus_core import syntax
from graphbus_core.artifacts.placement import Body, of_class
from graphbus_core.build.scan.beside import Beside
from graphbus_core.build.scan.draft import Draft
from graphbus_core.build.scan.source.class_reading import ClassReading, Member, body_of
from graphbus_core.build.scan.source.contracts import Contracts
from graphbus_core.build.scan.source.hints import HintReader
from graphbus_core.build.scan.source.modules import Module
from graphbus_core.build.scan.source.names import UNKNOWN, Found, Names
from graphbus_core.build.scan.source.needs import Needs
from graphbus_core.build.scan.source.scanner import NodeClass, NodeScanner
from graphbus_core.build.scan.source.topics import Topics
from graphbus_core.errors import ScanError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Parameter, Schema, SchemaMethod
from graphbus_core.model.topic import Publication
from graphbus_core.syntax import dotted

if TYPE_CHECKING:
    from graphbus_core.build.scan.beside.contracts_file import Declaration

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
    """Reads node classes. Stateless but for what `Names` remembers."""

    def __init__(self, names: Names, beside: Beside | None = None) -> None:
        self.names, self.beside = names, beside or Beside()
        self.scanner = NodeScanner(names, self.beside.patterns)

    def extract(self, node: NodeClass) -> Draft:
        """Everything that the class declares."""
        return _Draftsman(ClassReading(self.names, node), self.scanner.is_node, self.beside).draft()


class _Draftsman:
    """Puts together what the parts of a reading found."""

    def __init__(self, at: ClassReading, is_node: Callable[[Found], bool], beside: Beside) -> None:
        self.at, self.beside = at, beside
        self.contracts = Contracts(at)
        self.hinted = HintReader(at.names)
        self.needs = Needs(at, is_node)
        self.topics = Topics(at, self.contracts)
        self.methods: list[SchemaMethod] = []
        self.unkept: dict[str, str] = {}  # overrides that cannot keep the contract: method -> why

    def draft(self) -> Draft:
        node, at = self.at.node, self.at.node.node
        for name, member in self.at.members.items():
            if isinstance(member.node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._read_method(name, member, member.node)
        if node.plain:  # what a plain class calls MODEL or `commit` is its own business
            return self._plain(at)
        prompt = self._prompt()
        declared = [need for need in self.needs.declared if need != node.found.key]
        hinted = [need for need in self.needs.hinted if need != node.found.key and need not in self.needs.declared]
        metadata: dict[str, Any] = {
            "is_arbiter": self.at.plain("IS_ARBITER", False) is True,
            "model": self.at.text("MODEL"),
            "overrides": [name for name in SPEAKS if name in self.at.members],
            **_bases_and_place(at),
            "hinted": hinted,  # which of depends_on are known from type hints alone
            "one_place": self._one_place(),
        }
        if self.unkept:
            metadata["unreadable"] = dict(self.unkept)
        return Draft(self._agent(at, prompt, self.topics.publications, (*declared, *hinted), metadata), self.at.open)

    def _plain(self, at: ast.ClassDef) -> Draft:
        """A class or functions that take part as they are. What source does not tell of them stays undeclared."""
        node = self.at.node
        hinted = [need for need in self.needs.hinted if need != node.found.key]
        declared = [need for need in self.needs.declared if need not in hinted]
        metadata: dict[str, Any] = {
            "is_arbiter": False,
            "model": None,
            "overrides": [],
            **_bases_and_place(at),
            "hinted": hinted,
            "plain": node.plain,
            "one_place": self._one_place(),
        }
        publications = [p for p in self.topics.publications if p.schema is not None]
        return Draft(self._agent(at, SystemPrompt(""), publications, (*declared, *hinted), metadata))

    def _agent(
        self,
        at: ast.ClassDef,
        prompt: SystemPrompt,
        publications: Iterable[Publication],
        needs: tuple[str, ...],
        metadata: Mapping[str, Any],
    ) -> AgentDefinition:
        return AgentDefinition(
            name=at.name,
            module=self.at.module.name,
            class_name=self.at.node.found.name,
            source_file=self.at.module.path,
            source_code=self.at.module.segment(at, min([at.lineno, *(d.lineno for d in at.decorator_list)])),
            system_prompt=prompt,
            methods=tuple(self.methods),
            subscriptions=tuple(dict.fromkeys(self.topics.subscriptions)),
            publications=tuple(publications),
            depends_on=needs,
            metadata=metadata,
        )

    def _one_place(self) -> dict[str, Any] | None:
        """Why several processes cannot share its work, for a run over a bus."""
        lineage = [
            Body(found.module.name, found.module.tree, found.node)
            for found in self.at.node.lineage
            if found.module is not None and isinstance(found.node, ast.ClassDef)
        ]
        found = of_class(lineage)
        return asdict(found) if found is not None else None

    def _prompt(self) -> SystemPrompt:
        member = self.at.members.get("SYSTEM_PROMPT")
        if member is None:
            return SystemPrompt("")
        assert member.owner.module is not None
        module, at = member.owner.module, member.node
        if isinstance(at, ast.Call) and dotted(at.func).rpartition(".")[2] == "SystemPrompt":
            words = dict(zip(("text", "role", "capabilities"), at.args, strict=False))
            words |= {k.arg: k.value for k in at.keywords if k.arg}
            values = {k: self.at.names.constant(module, v, body_of(member.owner)) for k, v in words.items()}
            if isinstance(values.get("text"), str) and UNKNOWN not in values.values():
                return SystemPrompt(values["text"], values.get("role"), tuple(values.get("capabilities") or ()))
        value = self.at.names.constant(module, at, body_of(member.owner))
        if isinstance(value, str):
            return SystemPrompt(value)
        self.at.leave_open("attributes", at, "SYSTEM_PROMPT is computed")
        return SystemPrompt("")

    def _found_calls(self, member: Member) -> list[str]:
        """`self.call("Node", "method", …)` in the body of a method, as `Node.method`."""
        assert member.owner.module is not None
        found: dict[str, None] = {}
        for at in ast.walk(member.node):
            match at:
                case ast.Call(func=ast.Attribute(value=ast.Name(), attr="call" | "acall"), args=[first, second, *_]):
                    module, scope = member.owner.module, body_of(member.owner)
                    named = [self.at.names.constant(module, a, scope) for a in (first, second)]
                    if all(isinstance(n, str) for n in named):
                        found[".".join(named)] = None
        return list(found)

    def _read_method(self, name: str, member: Member, at: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        owner = member.owner
        assert owner.module is not None
        said = self._said_of(name, at, owner)
        if self.at.node.plain and not said.declared and _is_public(name, at):
            said.declared, said.hinted = True, list(said.sides)
            self._hint(said, name, at, owner)
        if not said.declared:
            self._inherit(name, member, said)
        functions = self.at.node.plain == "functions"
        entry = self.beside.entry(self.at.module.name, name if functions else f"{self.at.node.found.name}.{name}")
        if entry is not None:
            self._from_file(entry, said, owner, at)
        if owner.module.mentions("publish"):
            self.topics.find_published(name, member)
        self.needs.read_hints(at, owner)
        marks = {dotted(d).rpartition(".")[2] for d in at.decorator_list}
        by_name = not name.startswith("_") and name not in LIFE and not marks & _NOT_TOOLS
        if not said.declared and not said.needs and not by_name:
            return
        self.methods.append(
            SchemaMethod(
                name=name,
                input_schema=said.sides["input"],
                output_schema=said.sides["output"],
                description=said.description or ast.get_docstring(at),
                parameters=_parameters(at, owner.module, drop_first="staticmethod" not in marks),
                depends_on=tuple(dict.fromkeys(said.needs)),
                lineno=at.lineno,
                end_lineno=at.end_lineno or at.lineno,
                is_async=isinstance(at, ast.AsyncFunctionDef),
                metadata=self._around_method(member, entry.places if entry is not None and entry.sides else None),
            )
        )

    def _around_method(self, member: Member, beside: Mapping[str, str] | None) -> dict[str, Any]:
        """What is kept of a method beside its contract: where it was inherited from, whom it calls by name, and
        `beside`, side -> where the contract is written, which is not the code."""
        owner = member.owner
        assert owner.module is not None
        found: dict[str, Any] = {}
        if owner.key != self.at.node.found.key:
            found["inherited_from"] = {
                "module": owner.module.name,
                "class_name": owner.name,
                "source_file": owner.module.path,
            }
        if owner.module.mentions("call(") and (calls := self._found_calls(member)):
            found["calls"] = calls
        return found | ({"beside": dict(beside)} if beside is not None else {})

    def _inherit(self, name: str, member: Member, said: _Said) -> None:
        """An override without a decorator keeps the contract of what it overrides, if it can be called the same way."""
        above = list(self.at.node.lineage)
        while above and above[0].key != member.owner.key:
            above.pop(0)
        for found in above[1:]:
            assert found.module is not None
            assert isinstance(found.node, ast.ClassDef)
            binding = self.at.names.body(found.node, found.module).get(name)
            at = binding.to if binding is not None else None
            if not isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for word, call, module, scope in self.at.decorators(at.decorator_list, found, name):
                if word not in DECLARES:
                    continue
                if why := called_otherwise(at, member.node):
                    if _may_be_given_more(member):
                        return
                    where = f"it overrides {found.name}.{name} without @schema_method, and {why}"
                    self.unkept[name] = f"{where}; declare its own contract, or take the same arguments."
                    return
                self._declare(said, call, module, scope, name)
            if said.declared:
                self._hint(said, name, at, found)
                return

    def _said_of(self, name: str, at: ast.FunctionDef | ast.AsyncFunctionDef, owner: Found) -> _Said:
        said = _Said()
        for word, call, module, scope in self.at.decorators(at.decorator_list, owner, name):
            if word in DECLARES:
                self._declare(said, call, module, scope, name)
            elif call is None:
                continue
            elif word == "subscribe":
                self.topics.subscribe(call, module, scope, name)
            elif word == "publishes":
                self.topics.publish(call, module, scope, name)
            elif word == "depends_on":
                said.needs += self.needs.named_in(call, module, scope, f"method:{name}:depends_on")
        self._hint(said, name, at, owner)
        return said

    def _declare(
        self, said: _Said, call: ast.Call | None, module: Module, scope: ast.ClassDef | None, name: str
    ) -> None:
        said.declared = True
        said.hinted = [] if call is not None else list(said.sides)
        if call is not None:
            text = self.contracts.declared(call, module, scope, name, said.sides, said.hinted)
            said.description = text or said.description

    def _from_file(
        self, entry: Declaration, said: _Said, owner: Found, at: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> None:
        """What the contracts file says; it wins over hints. Raises ScanError where a decorator says it too."""
        assert owner.module is not None
        resolve = self.at.names.anywhere(self.at.names.resolver(owner.module, body_of(owner)))
        for side in entry.sides:
            if said.sides[side] is not None and side not in said.hinted:
                raise ScanError(
                    f"{entry.places[side]}: {entry.name} has its {side} contract in the code too, at "
                    f"{owner.module.path}:{at.lineno}. Keep one of them: two would come to differ."
                )
            said.sides[side] = entry.schema(side, resolve)
        said.declared = True
        said.needs += entry.depends_on
        said.description = entry.description or said.description

    def _hint(self, said: _Said, name: str, at: ast.FunctionDef | ast.AsyncFunctionDef, owner: Found) -> None:
        """Fill in what the decorator leaves to the hints. A handler is given a payload, not named fields."""
        assert owner.module is not None
        handler = any(s.handler_name == name for s in self.topics.subscriptions)
        for side in said.hinted:
            said.sides[side] = self.hinted.side(side, at, owner.module, body_of(owner), handler=handler)


# Decorators after which a method takes what its `def` says.
_PLAIN = frozenset(
    {*DECLARES, "subscribe", "publishes", "depends_on", "contract", "override", "final", "abstractmethod"}
    | {"staticmethod", "classmethod", "dataclass", "total_ordering", "runtime_checkable", "deprecated"}
)


def _may_be_given_more(member: Member) -> bool:
    """Whether a decorator that nobody here knows stands around a method or its class: it may hand in arguments of its
    own (`@use_context`), so that a longer `def` is not a fault, and the contract is not known.
    """
    around = [member.node, member.owner.node]
    found = [d for at in around for d in getattr(at, "decorator_list", ())]
    called = [d.func if isinstance(d, ast.Call) else d for d in found]
    return any(dotted(d).rpartition(".")[2] not in _PLAIN for d in called)


def _bases_and_place(at: ast.ClassDef) -> dict[str, Any]:
    return {"bases": [ast.unparse(base) for base in at.bases], "lineno": at.lineno, "end_lineno": at.end_lineno}


def _is_public(name: str, at: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method of a plain class is one that others call. Names of GraphBusNode are the runtime's own."""
    marks = {dotted(d).rpartition(".")[2] for d in at.decorator_list}
    return not name.startswith("_") and name not in LIFE and not marks & PROPERTIES


@dataclass
class _Said:
    """What the decorators of one method say."""

    declared: bool = False
    description: str | None = None
    sides: dict[str, Schema | None] = field(default_factory=lambda: {"input": None, "output": None})
    needs: list[str] = field(default_factory=list)
    hinted: list[str] = field(default_factory=list)  # sides that the decorator leaves to the hints


def called_otherwise(base: ast.AST, override: ast.AST) -> str:
    """Why a call that fits `base` may not fit `override`; empty where every such call does."""
    if not isinstance(base, ast.FunctionDef | ast.AsyncFunctionDef):
        return ""
    if not isinstance(override, ast.FunctionDef | ast.AsyncFunctionDef):
        return ""  # `use = other`: who writes that means it
    old, new = base.args, override.args
    known = {a.arg for a in (*old.args[1:], *old.kwonlyargs)}
    taken = {a.arg for a in (*new.args[1:], *new.kwonlyargs)}
    positional = [*new.posonlyargs, *new.args]
    needed = {a.arg for a in positional[1 : len(positional) - len(new.defaults)]}
    needed |= {a.arg for a, d in zip(new.kwonlyargs, new.kw_defaults, strict=True) if d is None}
    if lost := sorted(known - taken) if new.kwarg is None else []:
        return f"it does not take {', '.join(map(repr, lost))}"
    if more := sorted(needed - known):
        return f"it needs {', '.join(map(repr, more))} as well"
    return ""


def _parameters(at: ast.FunctionDef | ast.AsyncFunctionDef, module: Module, drop_first: bool) -> tuple[Parameter, ...]:
    """The signature without `self`."""
    return tuple(
        Parameter(
            name=a.arg,
            kind=kind,
            annotation=module.segment(a.annotation) if a.annotation is not None else None,
            default=module.segment(default) if default is not None else None,
        )
        for a, kind, default in syntax.parameters(at.args, bound=drop_first)
    )
