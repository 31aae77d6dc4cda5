"""What attributes, items, operators and calls do to objects, and what they give."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, TypeGuard

from graphbus_core.artifacts.sharing import library, standard_objects
from graphbus_core.artifacts.sharing.contexts import CONTEXT, LOCAL, SETTINGS, TELLING_FLAGS, refuse_flags
from graphbus_core.artifacts.sharing.expressions import describe
from graphbus_core.artifacts.sharing.implicit import Implicit, is_simple
from graphbus_core.artifacts.sharing.keys import DICT, LIST, TUPLE, is_tuple, refuse_kinds
from graphbus_core.artifacts.sharing.paths import FILE_NAME, PARENT
from graphbus_core.artifacts.sharing.protocols import KEYING, READING
from graphbus_core.artifacts.sharing.uses import ANY
from graphbus_core.artifacts.sharing.values import (
    IMMUTABLE,
    INDEX,
    KEY,
    KEYS,
    NOTHING,
    PLAIN,
    TEXT,
    WHOLE,
    Atom,
    ClassScope,
    FunctionValue,
    Immutable,
    Method,
    ModuleScope,
    Outside,
    Scope,
    Site,
    Value,
    Wrapped,
    is_function,
    is_lasting,
    is_plain,
    join,
    reach,
)

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine

NODE_BASES = frozenset(("graphbus_core.GraphBusNode", "graphbus_core.node_base.GraphBusNode"))
PUBLISHING = frozenset(("publish", "apublish"))
CALLING = frozenset(("call", "acall"))
# What every node has: `bus` and `memory` are objects of the runtime, the others plain.
NODE_ATTRIBUTES = frozenset(("bus", "memory", "nodes", "anodes", *PUBLISHING, *CALLING))
NODE_PLAIN = frozenset(("name", "mode", "context", "is_build_mode", "is_runtime_mode", "get_system_prompt"))
_NAMING = frozenset(("__name__", "__qualname__", "__module__", "__doc__"))  # texts, of a class or a function
_OF_CALLS = frozenset(("__defaults__", "__kwdefaults__", "__code__", "(any)"))  # what a call of a function rests on
TEXT_VALUE: Value = frozenset((TEXT,))
_TEXTS_AND_NUMBERS: Value = frozenset((TEXT, WHOLE))  # what is called of these, and they have not, is an error


class Objects:
    """Answers for the engine: everything that is not the order of statements."""

    def __init__(self, engine: Engine) -> None:
        from graphbus_core.artifacts.sharing.calls import Calls

        self._engine = engine
        self.implicit = Implicit(engine, self)
        self._calls = Calls(engine, self)
        self.caches = 0  # that are being filled: calls in calls
        self._defaults: dict[FunctionValue, dict[str, Value]] = {}
        self._classes: dict[tuple[Any, ...], ClassScope] = {}
        self._asking: set[Any] = set()
        self.remembered: dict[Site, Site] = {}
        self.constructed: set[Site] = set()  # by `__init__` of their class, and by nothing else
        self._deleted: set[str] = set()  # names of attributes
        self._attributes: dict[tuple[object, object], Site] = {}  # of functions
        self._key_kinds: dict[tuple[object, object], set[Atom]] = {}  # of numbers that a cache is asked for, by place
        self._remembered_scopes: dict[Scope, None] = {}  # of closures that a cache keeps

    # Functions and classes

    def set_defaults(self, function: FunctionValue, defaults: dict[str, Value]) -> None:
        """What its parameters are where nothing is given, made once when it is defined."""
        self._defaults[function] = defaults

    def get_defaults(self, function: FunctionValue) -> dict[str, Value]:
        """The same, of a bound one too."""
        plain = FunctionValue(function.node, function.module, function.scope, function.cls)
        return self._defaults.get(plain, {})

    def make_class(self, node: ast.ClassDef, module: ModuleScope) -> ClassScope:
        """The class of a definition, one for each function that runs it."""
        engine = self._engine
        key = (node, engine.get_place(), engine.lasting)
        if key not in self._classes:
            self._classes[key] = ClassScope(node, module, engine.lasting)
        return self._classes[key]

    def list_subclasses(self, cls: ClassScope) -> list[ClassScope]:
        """The classes that inherit it, as far as they are known."""
        return [kind for kind in self._classes.values() if cls in kind.lineage() and kind is not cls]

    def add_base(self, cls: ClassScope, atom: Atom) -> None:
        """What stands in the brackets of a class."""
        match atom:
            case ClassScope() if atom is not cls:
                cls.bases.append(atom)
            case Outside(name=name):
                cls.outside.append(name)
            case Site():
                cls.outside.append("a base that is computed")

    def name_descriptors(self, cls: ClassScope, node: ast.AST) -> None:
        """What stands in a class is told its name there, and its bases are told of the class."""
        if _has_metaclass(cls):
            self.implicit.check_class(cls, node)  # it makes the class
        for ancestor in cls.lineage()[1:]:
            for atom in ancestor.names.get("__init_subclass__", ()):
                function = atom.function if isinstance(atom, Wrapped) else atom
                if isinstance(function, FunctionValue):
                    self._engine.call(_bind(function, cls), [], {}, PLAIN, node)
        for value in list(cls.names.values()):
            for atom in value:
                if isinstance(atom, Site) and atom.cls is not None and (method := atom.cls.find("__set_name__")):
                    for function in method:
                        bound = join(*(self.bind(a, atom, node) for a in (function,)))
                        for outcome in bound:
                            self.call_atom(outcome, [frozenset((cls,)), PLAIN], {}, NOTHING, node)

    def is_record(self, cls: ClassScope, decorators: list[Value]) -> bool:
        """Whether its constructor puts arguments into fields."""
        names = {a.name for value in decorators for a in value if isinstance(a, Outside)}
        names |= set(cls.list_outside())
        return bool(names & (library.RECORD_BASES | {"dataclasses.dataclass"})) or any(b.is_record for b in cls.bases)

    def decorate(self, decorator: Value, value: Value, node: ast.AST) -> Value:
        """What a decorator makes of a function or class."""
        if is_plain(decorator):  # it is something else than what is known of it
            self._engine.escape(value)
            return self._engine.make_unknown((node, "decorator"), f"what {describe(node)} makes of it")
        return join(*(self._decorate_one(atom, value, node) for atom in decorator)) or value

    def _decorate_one(self, atom: Atom, value: Value, node: ast.AST) -> Value:
        name = atom.name if isinstance(atom, Outside) else ""
        if name in library.IDENTITY_DECORATORS or _is_graphbus(name, library.GRAPHBUS_DECORATORS):
            return value
        if name in library.CACHES:
            return frozenset(Wrapped("cached", a) for a in value)
        wraps = {"builtins.property": "property", "builtins.staticmethod": "static", "builtins.classmethod": "class"}
        if name in wraps:
            return frozenset(Wrapped(wraps[name], a) for a in value)
        if name == "functools.cached_property":
            return frozenset(Wrapped("cached property", a) for a in value)
        if isinstance(atom, Method) and atom.name in ("setter", "getter", "deleter"):
            how = "property" if atom.name == "getter" else "setter"
            return join(frozenset((atom.receiver,)), frozenset(Wrapped(how, a) for a in value))
        return self.call_atom(atom, [value], {}, NOTHING, node)

    # Modules and names

    def get_module(self, name: str) -> Value:
        """What `import name` binds."""
        module = self._engine.load_module(name)
        return frozenset((module if module is not None else Outside(name),))

    def get_member(self, module_name: str, name: str) -> Value:
        """What `from module_name import name` binds."""
        engine = self._engine
        module = engine.load_module(module_name)
        if module is not None and name in module.names:
            return module.names[name]
        submodule = engine.load_module(f"{module_name}.{name}")
        if submodule is not None:
            return frozenset((submodule,))
        if module is not None and module_name != "graphbus_core":
            return engine.make_unknown((module_name, name), f"{name} of {module_name}")
        engine.trace.use_library(f"{module_name}.{name}", engine.handling)
        constant = standard_objects.find_constant(f"{module_name}.{name}")
        return constant if constant is not None else frozenset((Outside(f"{module_name}.{name}"),))

    def get_builtin(self, name: str) -> Value:
        """A name that nobody binds."""
        if name.startswith("__") or name in ("True", "False", "None", "Ellipsis", "NotImplemented"):
            return PLAIN
        return frozenset((Outside(f"builtins.{name}"),))

    def get_super(self, names: dict[str, Value]) -> Value:
        """`super()` in a method."""
        activation = self._engine.stack[-1]
        args = activation.function.node.args
        first = next(iter((*args.posonlyargs, *args.args)), None)
        cls = activation.function.cls
        if first is None or cls is None:
            return PLAIN
        return frozenset(Wrapped("super", (cls, atom)) for atom in names.get(first.arg, NOTHING))

    # Attributes

    def get_attribute(self, value: Value, name: str, node: ast.AST, *, called: bool = False) -> Value:
        """`value.name`; `called`: it is called at once, and the call says what is not known."""
        if name in ("__dict__", "__delattr__"):
            self.delete("(any)")
        if called and is_plain(value) and not library.is_plain_method(name) and not value <= _TEXTS_AND_NUMBERS:
            self._engine.note(f"calls {describe(node)}, which is not read", node)
        return join(*(self._get_of(atom, name, node, called) for atom in value)) or PLAIN

    def _get_of(self, atom: Atom, name: str, node: ast.AST, called: bool) -> Value:
        match atom:
            case Immutable():
                return self._get_of_immutable(atom, name, node, called)
            case ModuleScope():
                self._engine.memos.see_slot(atom, name)
                matches = atom.names.get(name)
                return matches if matches is not None else self._get_missing(atom, name, node)
            case Outside(name=head):
                return self._get_outside(f"{head}.{name}")
            case ClassScope():
                return self._get_of_class(atom, name, node)
            case Site(kind="instance"):
                return self._get_of_instance(atom, name, node)
            case Site():
                return self._get_of_site(atom, name, node, called)
            case Wrapped(how="super", function=(cls, bound)):
                return self._get_above(cls, bound, name)
            case Wrapped(how="property" | "cached property"):
                return frozenset((Method(atom, name),))
            case FunctionValue():
                return self._get_of_function(atom, name, node)
            case Wrapped(how="cached", function=FunctionValue() as function) if name == "__wrapped__":
                return frozenset((function,))
            case Method(receiver=receiver) if name == "__self__":
                return frozenset((receiver,))
            case Method(receiver=Site(kind="object" | "data") as site):  # any attribute of it may be a method
                return self._get_of_site(site, name, node, called)
            case Wrapped() | Method():
                return frozenset((Method(atom, name),))
        return PLAIN

    def _get_of_immutable(self, atom: Immutable, name: str, node: ast.AST, called: bool) -> Value:
        if atom in (KEY, INDEX) and library.is_telling(name):
            refuse_kinds(self._engine, frozenset((atom,)), node)
        if called and library.is_method_of(atom, name):
            return frozenset((Method(atom, name),))
        if (part := library.find_part(atom, name)) is not None:
            return frozenset((part,))
        if atom in _TEXTS_AND_NUMBERS and not library.is_plain_method(name):
            return frozenset((atom,))  # an error: `None` where nothing was given
        if called or library.asks_what_it_is_given(name):
            return frozenset((IMMUTABLE, Method(atom, name)))
        return PLAIN

    def _get_missing(self, module: ModuleScope, name: str, node: ast.AST) -> Value:
        """What a module gives for a name that its body does not bind."""
        asked = [self.call_atom(a, [TEXT_VALUE], {}, NOTHING, node) for a in module.names.get("__getattr__", ())]
        return join(*asked) if asked else self.get_member(module.name, name)

    def _get_outside(self, name: str) -> Value:
        self._engine.trace.use_library(name, self._engine.handling)
        if (constant := standard_objects.find_constant(name)) is not None:
            return constant
        if library.is_constant(name):
            return (
                frozenset((Outside(name), IMMUTABLE))
                if library.find_effect(name) is None
                else frozenset((Outside(name),))
            )
        return frozenset((Outside(name),))

    def _get_of_function(self, atom: FunctionValue, name: str, node: ast.AST) -> Value:
        if name in _NAMING:
            return PLAIN
        if name == "__self__":
            return frozenset((atom.bound,)) if atom.bound is not None else PLAIN
        self._engine.memos.see_slot(atom, name)
        holder = self._hold_attributes(atom)
        if name == "__defaults__":
            return frozenset((self._list_defaults(atom), IMMUTABLE))
        if name.startswith("__"):  # its defaults, its closure, its hints: what stands there is not told apart
            self._engine.note(f"reads {name} of {describe_function(atom)}, which is not read", node)
            part = self._hold_part(holder, NOTHING)
            self._engine.trace.strange.add(part)  # at set up, nothing is held against whoever keeps it
            return frozenset((part,))
        # What was set is what it is, until somebody changes the slot; else a method of functions, or an error.
        return frozenset(holder.fields.get(name, ())) or frozenset((Method(holder, name),))

    def _list_defaults(self, atom: FunctionValue) -> Site:
        """The tuple of what its parameters are where nothing is given: nothing but these can be changed by it."""
        args, defaults = atom.node.args, self.get_defaults(atom)
        positional = [arg.arg for arg in (*args.posonlyargs, *args.args)]
        listed = positional[len(positional) - len(args.defaults) :]
        with self._engine.making_node(False):
            site = self._engine.make_tuple((atom, "defaults"), [defaults.get(name, PLAIN) or PLAIN for name in listed])
        site.made_by = TUPLE
        return site

    def _hold_attributes(self, atom: FunctionValue) -> Site:
        """The attributes that a function was given: one place, whoever asks for it, and when."""
        key = (atom.node, atom.scope)
        if key not in self._attributes:
            with self._engine.making_node(False):
                label = f"an attribute of {describe_function(atom)}"
                self._attributes[key] = self._engine.make((atom.node, "attributes"), "container", label=label)
        holder = self._attributes[key]
        holder.lasting = is_lasting(atom)
        return holder

    def _hold_part(self, owner: ClassScope | Site, items: Value) -> Site:
        """What an attribute of it gives, and what stands in there: as lasting as it is, and nothing known of it."""
        part = self._engine.make((owner, "part"), "container", join(PLAIN, items))
        part.lasting = is_lasting(owner)
        part.label = part.label or getattr(owner, "label", "")
        self._engine.put(part, frozenset((part,)))
        if isinstance(owner, Site):
            self._engine.view(part, frozenset((owner,)))
        return part

    def _get_of_site(self, site: Site, name: str, node: ast.AST, called: bool) -> Value:
        if site.kind == "dispatch" and name in ("register", "dispatch"):
            return frozenset((Method(site, name),))
        if site.kind in ("partial", "getter", "dispatch"):
            held = join(*site.fields.values(), site.items)
            return join(held, frozenset((self._hold_part(site, held), Method(site, name))))
        if site.kind == "path" and name == "name":
            return frozenset((FILE_NAME,))
        if site.kind == "path" and name == "parent" and PARENT in site.fields:
            return frozenset(site.fields[PARENT])
        if site.made_by == "tempfile.TemporaryDirectory" and name == "name":
            return frozenset(site.fields["name"])
        if site.kind == "path" and name in ("parent", "parents"):  # it leads out of a temporary folder
            above = self._engine.make((node, "above"), "path")
            return frozenset((above, self._engine.make((node, "parents"), "container", frozenset((above,)))))
        if site.kind == "path":
            return frozenset((Method(site, name),)) if called else PLAIN
        if name == "__dict__" and site.kind == "container":  # of a SimpleNamespace: what it holds
            return frozenset((site,))
        if name in TELLING_FLAGS:
            refuse_flags(self._engine, frozenset((site,)), node)
        if name in SETTINGS and site.made_by in (LOCAL, CONTEXT) and not site.lasting:
            return PLAIN
        method: Value = frozenset((Method(site, name),))
        if called:
            return join(method, frozenset(site.fields.get(name, ())))
        if site.kind == "object" and is_lasting(site):
            self._engine.use_unknown(f"reads {describe(node)}, which is not read", node, frozenset((site,)))
        if site.kind != "object" and not library.is_container_method(name):
            method = NOTHING
        held = join(*site.fields.values()) if site.kind == "iterator" else frozenset(site.fields.get(name, ()))
        parts = join(PLAIN, site.items, held, method, site.views)
        is_own = site.kind in ("data", "object") or (site.lasting and site.made_by not in library.NAMESPACES)
        return join(parts, frozenset((site,))) if is_own else parts  # what it gives is not told apart from it

    def _get_of_class(self, cls: ClassScope, name: str, node: ast.AST) -> Value:
        for kind in cls.list_asked(name):
            self._engine.memos.see_slot(kind, name)
        if _has_metaclass(cls):
            self.implicit.check_class(cls, node)
        matches = cls.find(name)
        if matches is None:
            if name == "__dict__":
                self._engine.see_whole((cls,))
                return frozenset((self._view(cls, cls.names, cls.lasting),))
            if name in _NAMING or (name == "_fields" and "typing.NamedTuple" in cls.list_outside()):
                return PLAIN
            if name.startswith("_") and name.endswith("_") and name not in ("__subclasses__", "__new__"):
                members = self.list_members(cls) if set(cls.list_outside()) & library.ENUM_BASES else NOTHING
                return frozenset((*cls.lineage(), self._hold_part(cls, join(cls.lineage(), members))))
            return frozenset((Method(cls, name),))
        if set(cls.list_outside()) & library.ENUM_BASES and not any(is_function(a) for a in matches):
            return frozenset((self._make_member(cls),))
        return frozenset(a for v in matches for a in self._bind_class(v, cls))

    def _bind_class(self, atom: Atom, cls: ClassScope) -> Value:
        match atom:
            case Wrapped(how="class", function=FunctionValue() as function):
                return frozenset((_bind(function, cls),))
            case Wrapped(how="class", function=Wrapped(how="cached", function=FunctionValue() as function)):
                return frozenset((Wrapped("cached", _bind(function, cls)),))
            case Wrapped(how="static", function=function):
                return frozenset((function,))
            case Site(kind="instance", cls=ClassScope() as kind) if kind.find("__get__") is not None:
                return self._call_own(atom, "__get__", [PLAIN, frozenset((cls,))], cls.node)
        return frozenset((atom,))

    def _make_member(self, cls: ClassScope) -> Site:
        with self._engine.set_up(), self._engine.making_node(False):
            member = self._engine.make((cls.node, "member"), "instance", cls=cls, label=f"{cls.node.name}'s member")
        values = join(PLAIN, *(v for n, v in cls.names.items() if not any(map(is_function, v))))
        for name in ("value", "_value_"):
            self._engine.put(member, values - frozenset((member,)), name)
        for name in ("name", "_name_"):
            self._engine.put(member, PLAIN, name)
        for atom in cls.find("__init__") or ():
            if isinstance(atom, FunctionValue) and member not in self._asking:
                self._asking.add(member)
                with self._engine.set_up():
                    inner = self.get_elements(values)
                    self._engine.call(_bind(atom, member), [], {}, join(values, inner), cls.node)
                self._asking.discard(member)
        return member

    def list_members(self, cls: ClassScope) -> Value:
        """What comes out of a class that is iterated: the members of an enumeration."""
        return frozenset((self._make_member(cls),))

    def _view(self, owner: object, names: dict[str, Any], lasting: bool) -> Site:
        view = self._engine.make((owner, "__dict__"), "container", join(PLAIN, *names.values()), label="__dict__")
        view.lasting = lasting
        return view

    def _get_above(self, cls: ClassScope, bound: Atom, name: str) -> Value:
        own = bound.cls if isinstance(bound, Site) else bound if isinstance(bound, ClassScope) else None
        lineage = own.lineage() if own is not None else cls.lineage()
        above = lineage[lineage.index(cls) + 1 :] if cls in lineage else []
        for ancestor in above:
            self._engine.memos.see_slot(ancestor, name)
            if name in ancestor.names:
                if isinstance(bound, ClassScope):
                    return frozenset(a for v in ancestor.names[name] for a in self._bind_class(v, bound))
                return frozenset(a for v in ancestor.names[name] for a in self.bind(v, bound, cls.node))
        if name == "__new__" and isinstance(bound, ClassScope):
            return frozenset((Method(bound, "__new__"),))
        if name in NODE_ATTRIBUTES:
            return frozenset((Outside(f"graphbus.{name}"),))
        return frozenset((Method(bound, name),)) if isinstance(bound, Site | ClassScope) else PLAIN

    def _get_of_instance(self, site: Site, name: str, node: ast.AST) -> Value:
        assert site.cls is not None
        for owner in (site, *site.cls.list_asked(name)):
            self._engine.memos.see_slot(owner, name)
        if (of_event := self._engine.attributes.get(site, name)) is not None:
            return of_event or PLAIN
        held = join(site.fields.get(name, ()), site.fields.get("(any)", ()))
        matches = site.cls.find(name)
        for atom in site.cls.find("__getattribute__") or ():
            held = join(
                held, *(self.call_atom(a, [TEXT_VALUE], {}, NOTHING, node) for a in self.bind(atom, site, node))
            )
        if held and (site.cls.is_record or self._hides_class(site, site.cls, name)):
            matches = None  # what stands in the class of a record is what it was made from
        if matches is not None:
            return join(held, *(self.bind(atom, site, node) for atom in matches))
        if held and name == "__dict__":  # by `setattr`, any name may have been set: this one too
            return join(held, self._get_unknown(site, site.cls, name, node))
        if held:
            return held
        return self._get_unknown(site, site.cls, name, node)

    def _hides_class(self, site: Site, cls: ClassScope, name: str) -> bool:
        """Whether an object has the attribute for sure, so that nobody sees that of its class: its constructor made it,
        and begins with setting it, before anybody else has the object, and nothing deletes any of that name."""
        if site not in self.constructed or {name, "(any)"} & self._deleted or site.is_copy:
            return False
        inits = [a.node for a in cls.find("__init__") or () if isinstance(a, FunctionValue)]
        is_sure = bool(inits) and all(name in _list_set_first(node) for node in inits)
        return is_sure and cls.find("__del__") is None and not self._engine.attributes.is_set_by_hand(cls, name)

    def _get_unknown(self, site: Site, cls: ClassScope, name: str, node: ast.AST) -> Value:
        outside = cls.list_outside()
        if name == "__class__":
            return frozenset((cls,))
        if name == "__dict__":
            self._engine.see_whole((site,))
            site.is_copy = site.is_copy or not self._engine.handling
            return frozenset((self._view(site, {k: frozenset(v) for k, v in site.fields.items()}, site.lasting),))
        if (lookup := cls.find("__getattr__")) is not None:
            bound = join(*(self.bind(a, site, node) for a in lookup))
            return join(*(self.call_atom(a, [PLAIN], {}, NOTHING, node) for a in bound))
        if NODE_BASES & set(outside):
            if name in NODE_ATTRIBUTES:
                return frozenset((Outside(f"graphbus.{name}"),))
            if name in NODE_PLAIN:
                return frozenset((IMMUTABLE, Method(IMMUTABLE, name)))
        elif name in ("bus", "memory") and not site.items:  # the runtime gives them to plain classes too
            return frozenset((Outside(f"graphbus.{name}"),))
        if name.startswith("__"):
            return frozenset((Method(site, name),))
        if library.is_stateless_method(name, outside) or standard_objects.is_method(name, outside):
            return frozenset((Method(site, name),))
        if site.items:  # what is in it came from outside: arguments of a record, a payload
            return join(frozenset(site.items), PLAIN, frozenset((Method(site, name),)))
        if any(library.is_plain_base(base) and base not in NODE_BASES for base in outside):
            return frozenset((IMMUTABLE, Method(site, name)))
        if any(not library.is_plain_base(base) for base in outside):
            owners: Value = frozenset((site, *map(Outside, outside)))
            self._engine.note(f"uses {describe(node)} of {outside[0]}, which is not read", node, handed=owners)
            return self._engine.make_unknown((site, name), describe(node), owners)
        if not site.lasting and not cls.list_outside():
            return PLAIN  # an error: all that sets attributes of an object of this event is read
        self._engine.note(f"uses {describe(node)}, which nothing sets", node)
        with self._engine.set_up():
            return frozenset((self._engine.make((site, name), "container", label=describe(node)),))

    def bind(self, atom: Atom, site: Atom, node: ast.AST) -> Value:
        """What an attribute of a class is, read from an instance."""
        match atom:
            case FunctionValue() if atom.bound is None and atom.cls is not None:
                return frozenset((_bind(atom, site),))
            case FunctionValue() if atom.bound is None:  # a closure that a decorator gave, or a lambda
                return frozenset((_bind(atom, site),))
            case Site(kind="partial", made_by="functools.partialmethod"):
                outcome = self._engine.make((node, atom, site), "partial", label=atom.label)
                for function in list(atom.fields.get("functions", ())):
                    self._engine.put(outcome, self.bind(function, site, node), "functions")
                self._engine.put(outcome, frozenset(atom.fields.get("arguments", ())), "arguments")
                return frozenset((outcome,))
            case Site(kind="dispatch"):
                bound = self._engine.make((node, atom, site), "dispatch")
                for function in list(atom.fields.get("functions", ())):
                    self._engine.put(bound, self.bind(function, site, node), "functions")
                return frozenset((bound,))
            case Wrapped(how="setter"):
                return NOTHING
            case Wrapped(how="static", function=function):
                return frozenset((function,))
            case Wrapped(how="class"):
                of = site.cls if isinstance(site, Site) else site
                return self._bind_class(atom, of) if isinstance(of, ClassScope) else frozenset((atom,))
            case Wrapped(how="property" | "cached property", function=FunctionValue() as function):
                return self._read_property(_bind(function, site), node, is_cached=atom.how != "property")
            case Wrapped(how="property", function=Wrapped(how="cached", function=FunctionValue() as function)):
                return self.call_cached(_bind(function, site), [], {}, NOTHING, node)
            case Wrapped(how="cached", function=FunctionValue() as function):
                return frozenset((Wrapped("cached", _bind(function, site)),))
            case Site(kind="instance", cls=ClassScope() as cls) if cls.find("__get__") is not None:
                owner: Value = frozenset((site.cls,)) if isinstance(site, Site) and site.cls is not None else PLAIN
                return self._call_own(atom, "__get__", [frozenset((site, IMMUTABLE)), owner], node)
        return frozenset((atom,))

    def _read_property(self, getter: FunctionValue, node: ast.AST, *, is_cached: bool) -> Value:
        is_of_event = self._engine.handling and not is_lasting(getter.bound)
        if is_cached and not is_of_event:
            return self.call_cached(getter, [], {}, NOTHING, node)
        return self._engine.call(getter, [], {}, NOTHING, node)  # what an object of the event keeps goes with it

    def set_attribute(self, owners: Value, name: str, value: Value, node: ast.AST) -> None:
        """`owner.name = value`."""
        text = describe(node)
        self._check_owners(owners, name, value, node)
        if not value:
            self.delete(name)
        for owner in owners:
            if isinstance(owner, Site) and self._engine.attributes.put(owner, name, value, is_certain=len(owners) == 1):
                continue
            if isinstance(owner, Site):
                owner.is_copy = owner.is_copy or (name == "(any)" and not self._engine.handling)
                if not owner.lasting or self._engine.handling:
                    self._ask_setters(owner, name, value, node)
                if owner.views:  # `chain.maps = …`
                    self._engine.view(owner, self.get_elements(value))
                if not self._engine.handling or not owner.lasting:
                    self._engine.put(owner, value, name)
                    self._label(value, text)
            elif isinstance(owner, ClassScope):
                if not self._engine.handling:
                    owner.names[name] = join(owner.names.get(name, NOTHING), value)
            elif isinstance(owner, FunctionValue):
                if not self._engine.handling:
                    self._engine.put(self._hold_attributes(owner), value, name)
            elif isinstance(owner, ModuleScope) and not self._engine.handling:
                owner.names[name] = join(owner.names.get(name, NOTHING), value)
            if is_lasting(owner):
                if _is_memory(owner):
                    self._engine.note("uses self.memory", node, is_memory=True, is_change=True, of=())
                else:
                    is_code = isinstance(owner, ClassScope | FunctionValue) and name.startswith("__")
                    changed = (owner, ANY if is_code else name)  # `__bases__`, `__defaults__`: what it does
                    self._engine.note(f"changes {text}", node, is_change=True, of=[changed], handed=value)

    def delete(self, name: str) -> None:
        """From now on an object may be without an attribute of that name."""
        self._engine.changes += name not in self._deleted
        self._deleted.add(name)

    def _check_owners(self, owners: Value, name: str, value: Value, node: ast.AST) -> None:
        """An object may get another class, or the attributes of something else: those of this event are followed."""
        if is_plain(owners):  # nothing that is known there could be changed: it is something else
            self._engine.note(f"changes {describe(node)}, which is not read", node, is_change=True)
        if name in _OF_CALLS and any(isinstance(owner, FunctionValue) for owner in owners):
            self._engine.note(f"sets {name} of a function, which is not followed", node, is_always=True)
        if name not in ("__dict__", "__class__"):
            return
        if name == "__class__" or any(map(is_lasting, value - owners)):
            self._engine.note(f"sets {name}, which is not followed", node, is_always=True)
        for owner in owners:
            if isinstance(owner, Site):
                self._engine.put(owner, self.get_elements(value), "(any)")

    def _ask_setters(self, owner: Site, name: str, value: Value, node: ast.AST) -> None:
        """A property, a descriptor or `__setattr__` does it."""
        cls = owner.cls
        if cls is None:
            return
        names = [name] if name != "(any)" else [n for ancestor in cls.lineage() for n in ancestor.names]
        for atom in [a for n in names for a in cls.find(n) or ()]:
            if isinstance(atom, Wrapped) and atom.how == "setter" and isinstance(atom.function, FunctionValue):
                self._engine.call(_bind(atom.function, owner), [value], {}, NOTHING, node)
            elif isinstance(atom, Site) and atom.kind == "instance":
                self._call_own(atom, "__set__", [frozenset((owner,)), value], node)
                self._call_own(atom, "__delete__", [frozenset((owner,))], node)
        self._call_own(owner, "__setattr__", [TEXT_VALUE, value], node)
        self._call_own(owner, "__delattr__", [TEXT_VALUE], node)

    def _call_own(self, site: Site, name: str, arguments: list[Value], node: ast.AST) -> Value:
        """Python calls this method of it, where its class has one."""
        result = NOTHING
        if (site, name) in self._asking:
            return PLAIN
        self._asking.add((site, name))
        for atom in (site.cls.find(name) or ()) if site.cls is not None else ():
            if isinstance(atom, FunctionValue):
                result = join(result, self.call_atom(_bind(atom, site), arguments, {}, NOTHING, node))
        self._asking.discard((site, name))
        return result

    @staticmethod
    def _label(value: Value, text: str) -> None:
        for atom in value:
            if isinstance(atom, Site) and not atom.label:
                atom.label = text

    # Items and elements

    def set_item(self, owners: Value, keys: Value, value: Value, node: ast.expr) -> None:
        """`owner[…] = value`, and `del owner[…]`."""
        self.operate([keys], node, KEYING)
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):  # it may be a slice
            is_slice = isinstance(node.slice, ast.Slice)
            self.iterate(frozenset(a for a in value if is_slice or getattr(a, "kind", "") == "iterator"), node)
        if is_plain(owners):
            self._engine.note(f"changes {describe(node)}, which is not read", node, is_change=True)
        for owner in owners:
            if isinstance(owner, Site):
                owner.is_filled = owner.is_filled or not self._engine.handling
                if not self._engine.outlives(owner):
                    self._engine.put(owner, keys - PLAIN, KEYS)
                    self._engine.put_at(owner, node.slice if isinstance(node, ast.Subscript) else None, value)
                if owner.kind == "instance" and owner.cls is not None and is_simple(owner.cls):
                    self._call_own(owner, "__setitem__", [keys, value], node)
                    self._call_own(owner, "__delitem__", [keys], node)
                elif owner.kind == "instance":
                    self.implicit.use_hooks(owner, node)
        if any(map(_is_memory, owners)):
            self._engine.note("uses self.memory", node, is_memory=True, is_change=True, of=())
            return
        text = describe(node.value if isinstance(node, ast.Subscript) else node)
        self._engine.change(owners, node, text, join(keys, value))

    def get_item(self, value: Value, keys: Value, node: ast.Subscript, is_slice: bool) -> Value:
        """`value[…]`."""
        self.operate([keys], node, KEYING)
        result = NOTHING
        for atom in value:
            result = join(result, self._get_item_of(atom, keys, node))
        if is_slice and not is_plain(value):
            copied = self._engine.make((node, "slice"), "container", self.get_elements(value))
            sites = [a for a in value if isinstance(a, Site)]
            copied.made_by = TUPLE if sites and all(map(is_tuple, sites)) else ""
            views = frozenset(a for a in sites if a.views)  # a slice of a view is one
            result = join(result, frozenset((copied,)), views)
        return result or PLAIN

    def _get_item_of(self, atom: Atom, keys: Value, node: ast.Subscript) -> Value:
        match atom:
            case Site(positions=list(places)) if isinstance(node.slice, ast.Constant):
                if isinstance(node.slice.value, int) and -len(places) <= node.slice.value < len(places):
                    return frozenset(places[node.slice.value])
            case Site(kind="container", is_default=False, keyed=dict(keyed)) if keyed and _is_text(node.slice):
                return join(keyed.get(str(node.slice.value), ()), atom.loose)
            case Site(is_default=True) if self._engine.outlives(atom):
                text = f"changes {atom.label or describe(node.value)}, which makes what is missing"
                self._engine.note(text, node, is_change=True, of=[atom])
            case Site(is_default=True):
                for factory in atom.fields.get("factory", ()):
                    self._engine.put(atom, self._engine.call_any(factory, NOTHING, node))
            case Site(kind="object", lasting=True) if atom.made_by in library.READABLE_OBJECTS:
                return frozenset((atom, IMMUTABLE))  # what is set in a part of it is set in it
            case Site(kind="object", lasting=True) if not self._engine.attributes.is_renewed(atom):
                used = self._engine.use_unknown(f"reads {describe(node)}, which is not read", node, join((atom,), keys))
                return join(self._get_part(atom), used)
            case Site(kind="instance", cls=ClassScope() as cls) if (
                is_simple(cls) and cls.find("__getitem__") is not None
            ):
                return self._call_own(atom, "__getitem__", [keys], node)
            case Site(kind="instance", cls=ClassScope() as cls):
                is_read = library.is_collection(cls.list_outside())
                self._check_reading(atom, cls, node)
                given = (
                    self.implicit.ask(atom, READING, PLAIN, node) if is_read else self.implicit.use_hooks(atom, node)
                )
                return join(given, frozenset(atom.items))
            case ClassScope():
                if _has_metaclass(atom):
                    self.implicit.check_class(atom, node)
                if (getter := atom.find("__class_getitem__")) is not None:
                    functions = [a.function if isinstance(a, Wrapped) else a for a in getter]
                    bound = [_bind(f, atom) for f in functions if isinstance(f, FunctionValue)]
                    return join(*(self.call_atom(f, [keys], {}, NOTHING, node) for f in bound))
                members = set(atom.list_outside()) & library.ENUM_BASES
                return frozenset((self._make_member(atom),)) if members else frozenset((atom,))
            case Outside(name=name):
                held = frozenset(a for a in reach(keys) if isinstance(a, Site) and a.positions is None)
                hint = frozenset((self._engine.make((node, "hint"), "container", held),)) if held else NOTHING
                return join(self.read_outside(name, node), hint)  # `Annotated[int, rows]` holds them
        return self._get_part(atom)

    def _check_reading(self, site: Site, cls: ClassScope, node: ast.Subscript) -> None:
        """An item is read by a method of a base, which is known only of Python's own collections."""
        unknown = [base for base in cls.list_outside() if not library.is_followed_base(base)]
        if unknown and self._engine.outlives(site):
            text = f"reads {describe(node)} of {unknown[0]}, which is not read"
            self._engine.note(text, node, handed=frozenset((site, *map(Outside, unknown))))

    def _get_part(self, atom: Atom) -> Value:
        if isinstance(atom, Site) and atom.kind == "container":
            return frozenset(atom.items) or PLAIN  # no key comes out
        is_own = isinstance(atom, Site) and (atom.kind == "log" or (atom.kind == "object" and not atom.lasting))
        # What stands in an object of the library is not told apart from it.
        return join(self.get_elements(frozenset((atom,))), frozenset((atom,)) if is_own else NOTHING)

    def read_outside(self, name: str, node: ast.AST) -> Value:
        if _is_memory(Outside(name)):
            self._engine.note("uses self.memory", node, is_memory=True, is_change=True, of=())
            return PLAIN
        head = name.partition(".")[0]
        if standard_objects.is_table(name) and name not in library.LIVE_DATA:
            return PLAIN
        if name in library.LIVE_DATA or library.is_constant(name) or head in ("typing", "collections", "builtins"):
            return frozenset((Outside(name), IMMUTABLE))
        self._engine.note(f"reads {name}, which is not read", node, of=())
        return self._engine.make_unknown((node, name), name, frozenset((Outside(name),)))

    def get_elements(self, value: Value) -> Value:
        """What stands in these, without a word on how it is got out."""
        result = NOTHING
        for atom in value:
            match atom:
                case Site(kind="data"):
                    result = join(result, frozenset((atom, IMMUTABLE)), atom.items)
                case Site():
                    keys = atom.fields.get(KEYS, ()) if atom.kind != "instance" else ()
                    nothing = TEXT_VALUE if atom.made_by == LIST else PLAIN  # an empty list: nothing comes out
                    result = join(result, atom.items, keys, nothing if not atom.items else NOTHING)
                    if atom.kind == "path":
                        result = join(result, frozenset((atom,)))
                case Immutable(kind="text"):
                    result = join(result, _TEXTS_AND_NUMBERS)  # of bytes, numbers
                case Immutable(kind="match"):
                    result = join(result, TEXT_VALUE)
                case _:
                    result = join(result, PLAIN)
        return result

    def list_iterated(self, atom: Atom) -> Value:
        """What comes out of something that the project does not define: of a dict, its keys."""
        if isinstance(atom, Site) and atom.made_by == DICT and atom.kind == "container" and not atom.is_mixed:
            return join(atom.fields.get(KEYS, ()), PLAIN)
        return self.get_elements(frozenset((atom,)))

    def iterate(self, value: Value, node: ast.AST) -> Value:
        """What comes out of these one after the other."""
        return self.implicit.iterate(value, node)

    def operate(
        self, values: list[Value], node: ast.AST, names: tuple[str, ...] | None = None, arguments: Value = NOTHING
    ) -> Value:
        """What an operator may do with these, and give; `names`: the methods that it asks for, with `arguments`."""
        return self.implicit.operate(values, node, names, arguments)

    # Calls

    def call_atom(
        self, atom: Atom, arguments: list[Value], named: dict[str, Value], rest: Value, node: ast.AST
    ) -> Value:
        """What a call of this gives."""
        return self._calls.call(atom, arguments, named, rest, node)

    def call_cached(
        self,
        function: FunctionValue,
        arguments: list[Value],
        named: dict[str, Value],
        rest: Value,
        node: ast.AST,
        cache: object = None,
    ) -> Value:
        """A call of what remembers its results. What it gives lasts. That is harmless where the same arguments
        always give the same, and nobody changes it. `cache`: where it remembers them, if that is not its own.
        """
        self._engine.trace.wrap((function,))
        engine = self._engine
        if engine.handling and function.scope is not None and not function.scope.lasting:
            return engine.call(function, arguments, named, rest, node)  # it was made for this event, its cache too
        group = cache or function.node
        arguments = [self._key(value, (group, index), function, node) for index, value in enumerate(arguments)]
        named = {name: self._key(value, (group, name), function, node) for name, value in named.items()}
        rest = self._key(rest, (group, "rest"), function, node)
        before, engine.is_steady = engine.is_steady, True
        self.caches += 1
        try:
            # What this event has set is not the same next time; what a cache holds is no node's own.
            with engine.attributes.elsewhere(), engine.making_node(False):
                given = engine.call(function, arguments, named, rest, node)
            if not engine.is_steady:
                name = describe_function(function)
                engine.note(f"calls {name}, which remembers what may be otherwise next time", node, of=())
        finally:
            self.caches -= 1
            engine.is_steady = before and engine.is_steady
        label = f"what {describe_function(function)} remembers"
        seen: set[Site] = set()
        return frozenset(self._remember(a, label, seen) for a in given)

    def _key(self, value: Value, place: tuple[object, object], function: FunctionValue, node: ast.AST) -> Value:
        """What a cache is asked for: an equal key may have been asked for before, of another kind."""
        keys = NOTHING
        for atom in value:
            match atom:
                case Immutable(kind="any" | "float" | "moment"):
                    keys = join(keys, frozenset((KEY,)))
                case Immutable(kind="whole" | "flag"):
                    kinds = self._key_kinds.setdefault(place, set())
                    self._engine.changes += atom not in kinds
                    kinds.add(atom)
                    keys = join(keys, frozenset((atom if len(kinds) == 1 else INDEX,)))
                case Site(kind="data"):  # what came with an event; a dict or list of it is no key
                    keys = join(keys, frozenset((KEY,)))
                case Site(kind="instance", cls=ClassScope() as cls):
                    if is_keyed_oddly(cls):
                        name = describe_function(function)
                        text = f"calls {name}, which remembers by what an own class calls equal"
                        self._engine.note(text, node, of=())
                    keys = join(keys, frozenset((self._key_parts(atom, place, function, node),)))
                case Site(kind="container"):
                    if not is_tuple(atom):  # a set tells by its order which of its parts came first
                        name = describe_function(function)
                        self._engine.note(f"calls {name}, which remembers by a set, list or dict", node, of=())
                    keys = join(keys, frozenset((self._key_parts(atom, place, function, node),)))
                case _:
                    keys = join(keys, frozenset((atom,)))
        return keys

    def _key_parts(self, site: Site, place: tuple[object, object], function: FunctionValue, node: ast.AST) -> Site:
        if (site, "is a key") in self._asking:
            return site
        twin = self._engine.make((site, "key"), site.kind, cls=site.cls, label=site.label)
        self._asking.add((twin, "is a key"))
        twin.made_by = TUPLE if is_tuple(site) else ""
        twin.lasting = True  # what is done to it is not done where the result is remembered
        if (twin, "key") not in self._asking:
            self._asking.add((twin, "key"))
            self._engine.put(twin, self._key(frozenset(site.items), place, function, node))
            for name, values in list(site.fields.items()):
                self._engine.put(twin, self._key(frozenset(values), place, function, node), name)
            self._asking.discard((twin, "key"))
        return twin

    def _remember_scope(self, scope: Scope | None) -> None:
        """A closure is kept, and with it the names around it, and all that they stand for."""
        while scope is not None and (not scope.lasting or scope in self._remembered_scopes):
            self._engine.changes += not scope.lasting
            scope.lasting = True
            self._remembered_scopes[scope] = None
            for atom in reach(join(*scope.ever.values())):
                if isinstance(atom, Site) and not atom.lasting:
                    atom.lasting = True
                    self._engine.changes += 1
            scope = scope.parent

    def _remember(self, atom: Atom, label: str, seen: set[Site]) -> Atom:
        """The same object, once it outlives the event that made it."""
        match atom:
            case FunctionValue():
                self._remember_scope(atom.scope)
                if isinstance(atom.bound, Site):
                    return _bind(atom, self._remember(atom.bound, label, seen))
                return atom
            case Method(receiver=Site() as receiver, name=name):
                return Method(self._remember(receiver, label, seen), name)
            case Wrapped(how=how, function=FunctionValue() as function):
                return Wrapped(how, self._remember(function, label, seen))
            case ClassScope(lasting=False):
                atom.lasting = True
                self._engine.changes += 1
        if not isinstance(atom, Site) or atom.lasting:
            return atom
        if atom in self.remembered:
            twin = self.remembered[atom]
        else:
            twin = Site(atom.kind, True, label, atom.cls, is_default=atom.is_default, made_by=atom.made_by)
            self.remembered[atom] = twin
            twin.views |= {self._remember(a, label, seen) for a in atom.views}
        if twin not in seen:
            seen.add(twin)
            self._engine.put(twin, frozenset(self._remember(a, label, seen) for a in list(atom.items)))
            for name, values in list(atom.fields.items()):
                self._engine.put(twin, frozenset(self._remember(a, label, seen) for a in list(values)), name)
        return twin


def _list_set_first(init: ast.AST) -> set[str]:
    """The attributes that a constructor sets while nobody else can have the object: its first statements, as long as
    they set attributes of it, and name it nowhere else."""
    names: set[str] = set()
    first = next(iter([*init.args.posonlyargs, *init.args.args]), None) if isinstance(init, ast.FunctionDef) else None
    if first is None or not isinstance(init, ast.FunctionDef) or init.decorator_list:
        return names
    for statement in init.body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value)
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=name), value=ast.expr() as value)
            ) if owner == first.arg and not any(
                isinstance(part, ast.Name) and part.id in (owner, "locals", "super") for part in ast.walk(value)
            ):
                names.add(name)
            case _:
                break
    return names


def _has_metaclass(cls: ClassScope) -> bool:
    """Whether a metaclass that is not followed makes it."""
    return any(base.startswith("the metaclass") for base in cls.list_outside())


def _bind(function: FunctionValue, receiver: Any) -> FunctionValue:
    return FunctionValue(function.node, function.module, function.scope, function.cls, receiver)


def _is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_keyed_oddly(cls: ClassScope) -> bool:
    """Whether objects of it may be equal that are not the same: by a method of its own, or as numbers and texts are."""
    if any(cls.find(name) is not None for name in ("__eq__", "__hash__")):
        return True
    if not all(base in library.SIMPLE_BASES or base == "typing.NamedTuple" for base in cls.list_outside()):
        return True
    told = ("compare", "hash", "eq")  # of `field(...)` and `@dataclass(...)`
    return any(isinstance(part, ast.keyword) and part.arg in told for c in cls.lineage() for part in ast.walk(c.node))


def describe_function(function: FunctionValue) -> str:
    """Its name, as far as it has one."""
    return "a lambda" if isinstance(function.node, ast.Lambda) else function.node.name


def _is_memory(atom: Atom) -> bool:
    return isinstance(atom, Outside) and f"{atom.name}.".startswith("graphbus.memory.")


def _is_graphbus(name: str, words: frozenset[str]) -> bool:
    return name.startswith("graphbus_core.") and name.rpartition(".")[2] in words
