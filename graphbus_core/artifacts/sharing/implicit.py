"""What Python calls by itself: operators, comparisons, conversions, hooks of a base class."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from graphbus_core.artifacts.sharing import library
from graphbus_core.artifacts.sharing.contexts import refuse_flags
from graphbus_core.artifacts.sharing.expressions import describe
from graphbus_core.artifacts.sharing.protocols import CHANGING, ENTERING, ITERATION, NOT_IMPLICIT, READING
from graphbus_core.artifacts.sharing.uses import ANY
from graphbus_core.artifacts.sharing.values import (
    INDEX,
    KEY,
    NOTHING,
    PLAIN,
    Atom,
    ClassScope,
    FunctionValue,
    Outside,
    Site,
    Value,
    Wrapped,
    is_function,
    join,
    reach,
)

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine
    from graphbus_core.artifacts.sharing.objects import Objects


class Implicit:
    """Answers for `Objects` what is called without a call in the source."""

    def __init__(self, engine: Engine, objects: Objects) -> None:
        self._engine, self._objects = engine, objects
        self._asking: set[Any] = set()

    def operate(
        self, values: list[Value], node: ast.AST, names: Sequence[str] | None = None, arguments: Value = NOTHING
    ) -> Value:
        """What an operator, a comparison, a conversion to text or a use by the library may do with these, and give.

        `names` are the methods that the operator asks for; None: it may be any.
        """
        result = PLAIN
        parts = NOTHING
        for value in values:
            for atom in value:
                match atom:
                    case Site(kind="container"):
                        parts_within = reach((atom,))
                        self._engine.see(parts_within)
                        self.test(parts_within, node, names, join(arguments or join(*values), parts_within))
                match atom:
                    case Site(kind="instance", cls=ClassScope() as cls):
                        result = join(result, self.ask(atom, names, arguments or join(*values), node))
                        if not library.FLAG_BASES.isdisjoint(cls.list_outside()):
                            result = join(result, frozenset((atom,)))  # flags give flags
                    case Site(kind="object", lasting=True) if atom.made_by in library.READABLE_OBJECTS and (
                        names is None or not _tells_text(names)
                    ):
                        pass
                    case Site(kind="object", lasting=True) if not self._engine.attributes.is_renewed(atom):
                        text = f"uses {atom.label or describe(node)}, which is not read"
                        result = join(result, self._engine.use_unknown(text, node, join((atom,), *values, arguments)))
                    case Site(kind="iterator", lasting=True) if self._engine.handling:
                        self._engine.note(f"uses up {atom.label or describe(node)}", node, is_change=True, of=[atom])
                    case Site(kind="path" | "object"):
                        if names is None or _tells_text(names):
                            refuse_flags(self._engine, frozenset((atom,)), node)
                        result = join(result, frozenset((atom,)))
                    case Site():
                        parts = join(parts, self._objects.get_elements(frozenset((atom,))))
                    case ClassScope():
                        self.check_class(atom, node)
        if parts:
            result = join(result, frozenset((self._engine.make((node, "operator"), "container", parts),)))
        return join(result, *(value & {KEY, INDEX} for value in values))

    def test(self, value: Value, node: ast.AST, names: Sequence[str] | None = None, others: Value = NOTHING) -> None:
        """Whether it is true, or equal to something that stands in `others`, is asked of the project's own objects."""
        own = [atom for atom in value if isinstance(atom, Site) and atom.kind == "instance"]
        within = frozenset(a for a in reach(others) if isinstance(a, Site) and a.kind == "instance") if own else NOTHING
        for atom in own:
            self.ask(atom, names, join(PLAIN, within), node)

    def check_class(self, cls: ClassScope, node: ast.AST) -> None:
        """What a class itself does may be its metaclass's doing."""
        for base in cls.list_outside():
            if not library.is_plain_base(base):
                text = f"uses {cls.node.name}, a {base}, which is not read"
                self._engine.note(text, node, handed=frozenset((cls, Outside(base))))

    def look_up(self, value: Value, node: ast.AST) -> None:
        """Items of these are asked for: some make what is missing."""
        for atom in value:
            if isinstance(atom, Site) and atom.is_default and self._engine.outlives(atom):
                text = f"changes {atom.label}, which makes what is missing"
                self._engine.note(text, node, is_change=True, of=[atom])

    def check_hook(self, value: Value, node: ast.AST) -> None:
        """Whether something is an object of such a class is asked of `__subclasshook__`."""
        for atom in value:
            if isinstance(atom, ClassScope):
                self.check_class(atom, node)
                if any(base.rpartition(".")[2] == "Protocol" for base in atom.list_outside()) and (
                    not self._engine.memos.has_methods_alone(atom)
                ):
                    self._engine.note(f"asks by {atom.node.name} which attributes something has", node)
                for hook in atom.find("__subclasshook__") or ():
                    function = hook.function if isinstance(hook, Wrapped) else hook
                    if isinstance(function, FunctionValue):
                        self._objects.call_atom(function, [frozenset((atom,)), PLAIN], {}, NOTHING, node)
            elif isinstance(atom, Site):
                self.check_hook(frozenset(a for a in reach((atom,)) if isinstance(a, ClassScope)), node)

    def ask(self, site: Site, names: Sequence[str] | None, arguments: Value, node: ast.AST) -> Value:
        """These methods of it are called, as far as it has them, with any of these; None: all that Python may call."""
        cls = site.cls
        if cls is None or (cls, site, names) in self._asking:
            return PLAIN
        if names is not None and not is_simple(cls):
            names = (*names, *READING)  # what the base from outside does there may ask for others
        self._asking.add((cls, site, names))
        try:
            result: Value = PLAIN
            is_defined = False
            is_any = names is None or READING[0] in names
            for name in self._list_asked(cls, names):
                for atom in cls.find(name) or ():
                    if is_function(atom):
                        is_defined = True
                        result = join(result, self._call_bound(atom, site, name, is_any, arguments, node))
            if cls.is_record and not is_any and not is_defined:  # `__eq__`, `__repr__` and `__hash__` ask the fields
                self._engine.see(reach((site,)))
                self._engine.see_whole(reach((site,)))
                self.test(reach((site,)) - frozenset((site,)), node, names, arguments)
        finally:
            self._asking.discard((cls, site, names))
        is_known = is_defined or is_simple(cls)  # without such a method, it is an error
        return result if is_known and not is_any else join(result, site.items)

    @staticmethod
    def _list_asked(cls: ClassScope, names: Sequence[str] | None) -> Iterable[str]:
        if names is not None and READING[0] not in names:
            return names
        own = {n: None for c in cls.lineage() for n in c.names if n.startswith("__") and n.endswith("__")}
        asked = [name for name in own if name not in NOT_IMPLICIT and (names is None or name not in CHANGING)]
        return dict.fromkeys((*asked, *(names or ())))

    def _call_bound(self, atom: Atom, site: Site, name: str, is_any: bool, arguments: Value, node: ast.AST) -> Value:
        rest = arguments
        if is_any:
            data = self._engine.make((site.cls, name, "argument"), "data", PLAIN)
            rest = frozenset((data, site))
        calls = [
            self._objects.call_atom(bound, [], {}, rest or PLAIN, node)
            for bound in self._objects.bind(atom, site, node)
        ]
        return join(*calls)

    def use(self, value: Value, node: ast.AST) -> None:
        """The library has these: it may read any attribute, and call any method, of an object of the project."""
        for atom in value:
            if isinstance(atom, Site) and atom.kind == "instance" and atom.cls is not None:
                self.use_hooks(atom, node)
            elif isinstance(atom, ClassScope) and not is_simple(atom) and atom.outside:
                self.use_hooks(self._engine.make((node, atom, "used"), "instance", cls=atom), node)

    def use_hooks(self, site: Site, node: ast.AST, given: Value = NOTHING) -> Value:
        """Every method and property of it may be called, with what is given: what a base class, or the library, does
        with it.
        """
        cls = site.cls
        if cls is None or (cls, site) in self._asking:
            return PLAIN
        self._asking.add((cls, site))
        given = join(given, self._objects.get_elements(given))
        try:
            result = self.ask(site, None, PLAIN, node)
            for name in dict.fromkeys(n for ancestor in cls.lineage() for n in ancestor.names):
                if name.startswith("__"):
                    continue
                for atom in cls.find(name) or ():
                    if isinstance(atom, Wrapped) or (isinstance(atom, FunctionValue) and atom.cls is not None):
                        result = join(result, self._call_hook(atom, site, name, given, node))
        finally:
            self._asking.discard((cls, site))
        return result

    def _call_hook(self, atom: Atom, site: Site, name: str, given: Value, node: ast.AST) -> Value:
        if isinstance(atom, Wrapped) and atom.how in ("property", "cached property"):
            return self._objects.bind(atom, site, node)
        data = self._engine.make((site.cls, name, "argument"), "data", PLAIN)
        return self._call_bound(atom, site, name, False, join(given, frozenset((data,))), node)

    def use_attributes(self, value: Value, node: ast.AST) -> None:
        """Attributes of these may be read by names that are not known here: properties run."""
        for function in value:
            if isinstance(function, FunctionValue):
                self._engine.memos.see_slot(function, ANY)
        for atom in reach(value):
            if isinstance(atom, Site) and atom.kind == "instance" and atom.cls is not None:
                self.ask(atom, ("__getattr__", "__getattribute__"), PLAIN, node)
                for ancestor in atom.cls.lineage():
                    for name, values in ancestor.names.items():
                        if any(map(_is_computed, values)):
                            self._objects.get_attribute(frozenset((atom,)), name, node)

    def iterate(self, value: Value, node: ast.AST) -> Value:
        """What comes out of these one after the other."""
        result = NOTHING
        for atom in value:
            match atom:
                case Site(kind="iterator", lasting=True):
                    self._engine.note(f"uses up {atom.label or describe(node)}", node, is_change=True, of=[atom])
                case Site(kind="object", lasting=True) if atom.made_by in library.READABLE_OBJECTS:
                    result = join(result, PLAIN)
                    continue
                case Site(kind="object", lasting=True) if not self._engine.attributes.is_renewed(atom):
                    text = f"reads {atom.label or describe(node)}, which is not read"
                    result = join(result, self._engine.use_unknown(text, node, frozenset((atom,))))
                case Site(kind="log"):  # a list of its handlers, or the like, is not told apart from it
                    result = join(result, frozenset((atom,)))
                case Site(kind="instance", cls=ClassScope() as cls) if _is_combined_member(cls):
                    result = join(result, frozenset((atom,)))  # the flags in it
                    continue
                case Site(kind="instance"):
                    given = self.ask(atom, ITERATION, PLAIN, node)
                    result = join(result, given, self._read_all(given, atom, node))
                case ClassScope():
                    self.check_class(atom, node)
                    result = join(result, self._objects.list_members(atom))
                case Outside(name=name):
                    result = join(result, self._objects.read_outside(name, node) - frozenset((atom,)))
            result = join(result, self._objects.list_iterated(atom))
        return result

    def _read_all(self, given: Value, asked: Site, node: ast.AST) -> Value:
        """`__iter__` gave these: what comes out of them."""
        inner = frozenset(a for a in given if isinstance(a, Site) and a is not asked)
        self._engine.see(inner)
        lasting = frozenset(a for a in inner if a.kind == "iterator" and a.lasting)
        if lasting:
            self._engine.note(f"uses up {describe(node)}", node, is_change=True, of=lasting)
        own = [self.ask(a, ITERATION, PLAIN, node) for a in inner if isinstance(a, Site) and a.kind == "instance"]
        return join(self._objects.get_elements(inner), *own)

    def enter_own(self, value: Value, node: ast.AST) -> Value | None:
        """What `__enter__` of one object of the project gives; None where it is another, or has none of its own."""
        function = self._find_own(value, "__enter__")
        if function is None or self._find_own(value, "__exit__") is None:
            return None
        entered = self._objects.call_atom(function, [], {}, NOTHING, node)
        self._engine.attributes.set_now |= self._engine.attributes.added
        return entered or PLAIN

    def leave_own(self, value: Value, node: ast.AST) -> None:
        """`__exit__` of it, which may be given an error."""
        function = self._find_own(value, "__exit__")
        if function is not None:
            error = frozenset((self._engine.make((node, "error"), "data", PLAIN),))
            with self._engine.attributes.perhaps():
                self._objects.call_atom(function, [], {}, join(PLAIN, error, self._engine.raised), node)

    def _find_own(self, value: Value, name: str) -> FunctionValue | None:
        atoms = list(value)
        if len(atoms) != 1 or not isinstance(atoms[0], Site) or atoms[0].cls is None or not is_simple(atoms[0].cls):
            return None
        functions = list(atoms[0].cls.find(name) or ())
        if len(functions) != 1 or not isinstance(function := functions[0], FunctionValue):
            return None
        if not isinstance(function.node, ast.FunctionDef):
            return None
        return FunctionValue(function.node, function.module, function.scope, function.cls, atoms[0])

    def enter(self, value: Value, node: ast.AST) -> Value:
        """What `with value as …` binds."""
        result = NOTHING
        for atom in value:
            match atom:
                case Site(kind="iterator"):  # a context manager that is written as a generator
                    result = join(result, self.iterate(frozenset((atom,)), node))
                case Site(kind="object", lasting=True) if atom.made_by in library.LOCKS:
                    result = join(result, PLAIN)  # taken and given back: nobody's turn outlives the block
                case Site(kind="object", lasting=True):
                    text = f"enters {atom.label or describe(node)}, which is not read"
                    result = join(result, self._engine.use_unknown(text, node, frozenset((atom,))))
                case Site(kind="instance"):
                    result = join(result, self.ask(atom, ENTERING, PLAIN, node), frozenset((atom,)))
                case Site(made_by="tempfile.TemporaryDirectory"):
                    result = join(result, atom.fields.get("name", ()))
                case Site(kind="object", made_by=maker) if maker and maker not in library.GIVING_WHAT_THEY_HOLD:
                    result = join(result, frozenset((atom,)))
                case Site(kind="object", made_by=maker) if maker in library.GIVING_WHAT_THEY_HOLD:
                    result = join(result, PLAIN, (a for a in atom.items if not isinstance(a, Outside)))
                case Site():
                    result = join(result, frozenset((atom,)), (a for a in atom.items if not isinstance(a, Outside)))
                case Outside(name=name):
                    self._engine.note(f"enters {name}, which is not known", node, handed=frozenset((atom,)))
        return result or PLAIN


def _is_computed(atom: Atom) -> bool:
    """Whether code of the project runs where an attribute that the class holds is read."""
    if isinstance(atom, Wrapped):
        return atom.how in ("property", "cached property")
    return isinstance(atom, Site) and atom.cls is not None and atom.cls.find("__get__") is not None


def _tells_text(names: Sequence[str]) -> bool:
    """Whether these may tell what an object of the library is like now, by its text."""
    return "__str__" in names or READING[0] in names


def _is_combined_member(cls: ClassScope) -> bool:
    """Whether its objects are sets of flags, with no `__iter__` of their own."""
    return bool(set(cls.list_outside()) & library.FLAG_BASES) and cls.find("__iter__") is None


def is_simple(cls: ClassScope) -> bool:
    """Whether its bases from outside have no method that calls another one by itself."""
    return all(base in library.SIMPLE_BASES for base in cls.list_outside())
