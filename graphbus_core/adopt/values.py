"""An expression -> a shape, and how sure that is. Names are what all their assignments in the function allow."""

from __future__ import annotations

import ast
from dataclasses import replace

from graphbus_core.adopt.asked import AskedSignatures
from graphbus_core.adopt.filled import filled
from graphbus_core.adopt.frame import Assignment, CodeScope
from graphbus_core.adopt.known import library
from graphbus_core.adopt.known.code import FunctionNode
from graphbus_core.adopt.known.parts import arithmetic, element_of, under
from graphbus_core.adopt.known.shapes import (
    BOOL,
    DARK,
    EMPTY,
    NONE,
    STR,
    UNKNOWN,
    Certainty,
    Field,
    Keyed,
    KnownShape,
    Made,
    Many,
    Mapped,
    Plain,
    Row,
    Shape,
    either,
    is_larger,
    options,
    union,
    without_none,
)
from graphbus_core.build.understand.index import Code, Module, Named, Outside, Type

MAX_DEPTH = 60  # expressions in expressions, through the functions that they call
MAX_PARTS = 500  # of one shape: to compare and to print it costs as much


class ExpressionShapes:
    """Shapes of the expressions of one function."""

    def __init__(self, signatures: AskedSignatures, frame: CodeScope) -> None:
        self.signatures, self.frame = signatures, frame
        self.index, self.hints = signatures.index, signatures.hints
        self._names: dict[tuple[str, int], KnownShape] = {}

    def of(self, at: ast.expr) -> KnownShape:
        """What the expression can be."""
        if self.signatures.depth > MAX_DEPTH:
            return DARK
        self.signatures.depth += 1
        try:
            told = self._of(at)
            return DARK if is_larger(told.shape, MAX_PARTS) else told
        finally:
            self.signatures.depth -= 1

    def _of(self, at: ast.expr) -> KnownShape:
        match at:
            case ast.Constant(value=value):
                return DARK if value is ... else _sure(NONE if value is None else Plain(type(value).__name__))
            case ast.JoinedStr():
                return _sure(STR)
            case ast.Name(id=name):
                return self.name(name, at.lineno)
            case ast.Attribute(value=base, attr=attr):
                return self._attribute(base, attr)
            case ast.Call():
                return self._call(at)
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self.of(inner)
            case ast.Dict():
                return self._dict(at)
            case ast.Subscript(value=base, slice=key):
                return self._item(self.of(base), key)
            case ast.IfExp(body=body, orelse=orelse):
                return union((self.of(body), self.of(orelse)))
            case ast.BoolOp(op=op, values=parts):
                return self._chosen(op, parts)
            case ast.BinOp():
                return arithmetic(at.op, self.of(at.left), self.of(at.right))
            case ast.UnaryOp(op=op, operand=inner):
                return _sure(BOOL) if isinstance(op, ast.Not) else self.of(inner)
            case ast.Compare(ops=ops):
                clear = all(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in ops)
                return KnownShape(BOOL, Certainty.CERTAIN if clear else Certainty.LIKELY, "code")
        return self._container(at)

    def _container(self, at: ast.expr) -> KnownShape:
        match at:
            case ast.List(elts=parts):
                return self._many("list", parts)
            case ast.Set(elts=parts):
                return self._many("set", parts)
            case ast.Tuple(elts=parts):
                if any(isinstance(p, ast.Starred) for p in parts):
                    return _sure(Many("tuple", UNKNOWN))
                return _sure(Row(tuple(self.of(p).shape for p in parts)))
            case ast.ListComp(elt=element):
                return _sure(Many("list", self.of(element).shape))
            case ast.SetComp(elt=element):
                return _sure(Many("set", self.of(element).shape))
            case ast.GeneratorExp(elt=element):
                return _sure(Many("Iterator", self.of(element).shape))
            case ast.DictComp(key=key, value=value):
                return _sure(Mapped(self.of(key).shape, self.of(value).shape))
            case ast.Lambda():
                return _sure(Plain("Callable"))
        return DARK

    def _many(self, kind: str, parts: list[ast.expr]) -> KnownShape:
        if not parts:
            return _sure(Many(kind, EMPTY))
        if any(isinstance(p, ast.Starred) for p in parts):
            return _sure(Many(kind, UNKNOWN))
        return _sure(Many(kind, either(self.of(p).shape for p in parts)))

    # ---- names

    def name(self, name: str, line: int = 1 << 30) -> KnownShape:
        """What a local name, a parameter or a module's variable can be at a line."""
        bound, from_start = self.frame.reaching(name, line)
        key = (name, bound[0].line if bound and not from_start else 0)
        if key not in self._names:
            self._names[key] = DARK  # a name that is asked about itself
            self._names[key] = self._named(name, bound, from_start)
        return self._names[key]

    def _named(self, name: str, bound: list[Assignment], from_start: bool) -> KnownShape:
        function = self.frame.function
        own: list[KnownShape] = []
        if function is not None:
            file = self.signatures.sources[self.frame.path]
            every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            at = next((a for a in every if a.arg == name), None)
            if at is not None and from_start:
                cls = file.owner.get(self.frame.name, "") if file is not None else ""
                if cls and at is every[0] and not _static(function):
                    made = KnownShape(Made(self.frame.path, cls), Certainty.DECLARED, "self")
                    return made if not _class_level(function) else DARK
                own.append(self._parameter(name))
            elif name in {getattr(function.args.vararg, "arg", ""), getattr(function.args.kwarg, "arg", "")}:
                return DARK
        if not bound and not own:
            return self._global(name)
        hint = next((one.value for one in self.frame.bound().get(name, ()) if one.how == "hint"), None)
        if hint is not None:
            shape = self.hints.shape(self.frame.path, hint)
            return KnownShape(shape, Certainty.DECLARED, "hint") if shape != UNKNOWN else DARK
        return filled(self, name, union([*own, *(self._assigned(one.how, one.value) for one in bound)]))

    def _parameter(self, name: str) -> KnownShape:
        function = self.frame.function
        assert function is not None
        found = next((t for t in self.signatures.takes(self.frame.path, function) if t.name == name), None)
        return found.told if found is not None else DARK

    def _assigned(self, how: str, value: ast.expr | None) -> KnownShape:
        if value is None:
            return DARK
        if how in ("value", "grown"):
            return self.of(value)
        if how == "caught":
            kinds = value.elts if isinstance(value, ast.Tuple) else [value]
            return union(
                KnownShape(self.hints.shape(self.frame.path, kind), Certainty.CERTAIN, "code") for kind in kinds
            )
        if how == "element":
            return element_of(self.of(value))
        if how.startswith("part "):
            told, number = self.of(value), int(how[5:])
            if isinstance(told.shape, Row) and number < len(told.shape.elements):
                shape = told.shape.elements[number]
                return replace(told, shape=shape) if shape != UNKNOWN else DARK
        return DARK

    def _global(self, name: str) -> KnownShape:
        if self._enclosed(name):
            return DARK
        found = self.index.look_up(self.frame.path, name)
        return self._variable(found[0], name) if isinstance(found, tuple) else DARK

    def _enclosed(self, name: str) -> bool:
        """Whether a function around this one has the name: what it is when this one runs, nobody can tell."""
        file, outer = self.signatures.sources[self.frame.path], self.frame.name.rpartition(".")[0]
        while outer and file is not None:
            function = file.functions.get(outer)
            if function is not None:
                frame = CodeScope(self.frame.path, outer, function)
                arguments = [a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)]
                if name in frame.bound() or name in arguments:
                    return True
            outer = outer.rpartition(".")[0]
        return False

    def _variable(self, path: str, name: str) -> KnownShape:
        file = self.signatures.sources[path]
        values = file.variables.get(name, []) if file is not None else []
        if len(values) != 1:
            return DARK
        told = ExpressionShapes(self.signatures, CodeScope(path)).of(values[0])
        simple = isinstance(told.shape, Plain | Row | Made)
        if isinstance(told.shape, Keyed) and name.isupper() and name not in self.signatures.filled_elsewhere:
            simple = True  # a table that is written as a constant, and that nobody changes
        sure = Certainty.CERTAIN if isinstance(told.shape, Made) and self._stays(path, name) else Certainty.LIKELY
        return replace(told, level=min(told.level, sure)) if simple else DARK

    def _stays(self, path: str, name: str) -> bool:
        """Whether a module's variable is bound once and nobody sets it from outside: `handler = Handler()`."""
        file = self.signatures.sources[path]
        return file is not None and name in file.bound_once and name not in self.signatures.set_from_outside

    # ---- attributes and items

    def _attribute(self, base: ast.expr, attr: str) -> KnownShape:
        told = self.of(base)
        found = [self.signatures.members.attribute(one, attr) for one in options(without_none(told.shape))]
        if any(one is None for one in found):
            return DARK
        made = union(one for one in found if one is not None)
        return replace(made, level=min(made.level, told.level)) if made.shape != UNKNOWN else DARK

    def _item(self, told: KnownShape, key: ast.expr) -> KnownShape:
        found: list[Shape] = []
        for one in options(without_none(told.shape)):
            found.append(under(one, key))
        shape = either(found)
        return replace(told, shape=shape) if shape != UNKNOWN else DARK

    def _dict(self, at: ast.Dict) -> KnownShape:
        fields: dict[str, Field] = {}
        is_open = False
        for key, value in zip(at.keys, at.values, strict=True):
            if key is None:
                spread = self.of(value).shape
                if isinstance(spread, Keyed):
                    fields |= {f.name: f for f in spread.fields}
                    is_open |= spread.open
                else:
                    is_open = True
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                fields[key.value] = Field(key.value, self.of(value).shape)
            else:
                is_open = True
        if is_open and not fields:
            return _sure(Mapped(UNKNOWN, UNKNOWN))
        return _sure(Keyed(tuple(fields.values()), is_open))

    # ---- operators

    def _chosen(self, op: ast.boolop, parts: list[ast.expr]) -> KnownShape:
        told = [self.of(part) for part in parts]
        if isinstance(op, ast.Or):
            told = [replace(one, shape=without_none(one.shape)) for one in told[:-1]] + told[-1:]
            told = [one for one in told[:-1] if one.shape != NONE] + told[-1:]
        return union(told)

    # ---- calls

    def _call(self, at: ast.Call) -> KnownShape:
        match at.func:
            case ast.Name(id=name) if (own := self._own_class(name)) is not None:
                return KnownShape(own, Certainty.LIKELY, "code")  # a subclass may be meant
            case ast.Name(id=name) if name not in self.frame.bound():
                return self._called(self.index.look_up(self.frame.path, name), at)
            case ast.Attribute(value=base, attr=attr):
                dotted = self._module(base)
                if dotted is not None:
                    cls = self.index.dotted(self.frame.path, dotted)
                    if isinstance(cls, Type):
                        return self._of_class(cls, attr)
                    return self._called(self.index.dotted(self.frame.path, f"{dotted}.{attr}"), at)
                return self._method(self.of(base), attr, at)
        return DARK

    def _own_class(self, name: str) -> Made | None:
        """The class that `cls` is in a classmethod."""
        function, file = self.frame.function, self.signatures.sources[self.frame.path]
        if function is None or file is None or not _class_level(function) or not function.args.args:
            return None
        return Made(self.frame.path, file.owner[self.frame.name]) if function.args.args[0].arg == name else None

    def _module(self, base: ast.expr) -> str | None:
        """The dotted name of a module or class that stands before a call's last word."""
        if not isinstance(base, ast.Name | ast.Attribute):
            return None
        name = ast.unparse(base)
        if name.partition(".")[0] in self.frame.bound() or not name.replace(".", "").replace("_", "a").isalnum():
            return None
        found = self.index.dotted(self.frame.path, name)
        return name if isinstance(found, Module | Outside | Type) else None

    def _called(self, found: Named | None, at: ast.Call) -> KnownShape:
        match found:
            case Type(path=path, name=cls):
                return (
                    KnownShape(self.hints.of_class(path, cls), Certainty.CERTAIN, "code")
                    if self._makes(path, cls)
                    else DARK
                )
            case Code():
                made = self.signatures.of_code(found)
                return made.gives if made is not None and not made.strange else DARK
            case Outside(name=dotted):
                return self._outside(dotted, at)
        return DARK

    def _of_class(self, cls: Type, attr: str) -> KnownShape:
        """What `Class.method(…)` gives, where nobody below has it anew."""
        target = self.signatures.members.method(Made(cls.path, cls.name), attr)
        made = self.signatures.of(*target) if target is not None else None
        return made.gives if made is not None and not made.strange else DARK

    def _makes(self, path: str, cls: str) -> bool:
        """Whether calling a class gives an object of it."""
        family = self.index.classes(path, cls)
        return not any("__new__" in one.methods or "__call__" in one.attributes for _, one in family)

    def _outside(self, dotted: str, at: ast.Call) -> KnownShape:
        if dotted.startswith("builtins."):
            return self._builtin(dotted[9:], at)
        if dotted in ("os.environ.get", "os.getenv"):
            return _sure(STR if len(at.args) > 1 and self.of(at.args[1]).shape == STR else either((STR, NONE)))
        if dotted in library.FUNCTIONS:
            sure = _sure(library.FUNCTIONS[dotted])
            if dotted.startswith("os.path.") and sure.shape != BOOL:  # bytes in, bytes out
                known = any(STR in options(self.of(one).shape) for one in at.args)
                return sure if known else replace(sure, level=Certainty.LIKELY)
            return sure
        if dotted in ("collections.OrderedDict", "collections.defaultdict"):
            return _sure(Mapped(UNKNOWN, UNKNOWN))
        last = dotted.rpartition(".")[2]
        return KnownShape(Plain(last), Certainty.LIKELY, "code") if last[:1].isupper() and not last.isupper() else DARK

    def _builtin(self, name: str, at: ast.Call) -> KnownShape:
        if name == "dict":
            return self._dict_call(at)
        if name in library.BUILTINS:
            return _sure(library.BUILTINS[name])
        if name == "next" and at.args:
            return union((element_of(self.of(at.args[0])), *(self.of(a) for a in at.args[1:2])))
        if name in ("list", "set", "sorted", "frozenset", "tuple"):
            kind = "list" if name == "sorted" else name
            element = element_of(self.of(at.args[0])).shape if at.args else EMPTY
            return _sure(Many(kind, element))
        return DARK

    def _dict_call(self, at: ast.Call) -> KnownShape:
        if at.args or any(k.arg is None for k in at.keywords):
            copied = self.of(at.args[0]) if len(at.args) == 1 and not at.keywords else DARK
            return copied if isinstance(copied.shape, Keyed | Mapped) else _sure(Mapped(UNKNOWN, UNKNOWN))
        if not at.keywords:
            return _sure(Keyed())
        return _sure(Keyed(tuple(Field(k.arg or "", self.of(k.value).shape) for k in at.keywords)))

    def _method(self, told: KnownShape, attr: str, at: ast.Call) -> KnownShape:
        found: list[KnownShape] = []
        for one in options(without_none(told.shape)):
            found.append(self._method_of(one, attr, at))
        made = union(found)
        return (
            replace(made, level=min(made.level, max(told.level, Certainty.LIKELY))) if made.shape != UNKNOWN else DARK
        )

    def _method_of(self, shape: Shape, attr: str, at: ast.Call) -> KnownShape:
        match shape:
            case Plain(name="str") if attr in library.OF_STR:
                return _sure(library.OF_STR[attr])
            case Plain(name="bytes") if attr in library.OF_BYTES:
                return _sure(library.OF_BYTES[attr])
            case Made():
                target = self.signatures.members.method(shape, attr)
                made = self.signatures.of(*target) if target is not None else None
                return made.gives if made is not None and not made.strange else DARK
            case Mapped(value=value) if attr == "get" and value != UNKNOWN:
                return KnownShape(either((value, NONE)) if len(at.args) < 2 else value, Certainty.LIKELY, "code")
            case Keyed() if attr == "get" and at.args:
                found = under(shape, at.args[0])
                return KnownShape(either((found, NONE)), Certainty.LIKELY, "code") if found != UNKNOWN else DARK
            case Keyed() | Mapped() | Many() if attr == "copy":
                return _sure(shape)
        return DARK


def _sure(shape: Shape) -> KnownShape:
    return KnownShape(shape, Certainty.CERTAIN, "code")


def _static(function: FunctionNode) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)


def _class_level(function: FunctionNode) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "classmethod" for d in function.decorator_list)
