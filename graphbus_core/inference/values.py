"""An expression -> a shape, and how sure that is. Names are what all their assignments in the function allow."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from graphbus_core.analysis.index import ClassRef, ExternalRef, FunctionRef, LookupResult, ModuleRef
from graphbus_core.inference.interfaces import ShapeLookup, SignatureLookup
from graphbus_core.inference.shapes import (
    BOOL,
    BYTES,
    DARK,
    EMPTY,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Certainty,
    ContainerShape,
    InstanceShape,
    KnownShape,
    MappingShape,
    PlainShape,
    RecordField,
    RecordShape,
    Shape,
    TupleShape,
    expand_union,
    infer_arithmetic,
    infer_element,
    infer_item,
    is_larger,
    join_known,
    join_shapes,
    strip_none,
)
from graphbus_core.inference.source import Assignment, CodeScope, FunctionNode
from graphbus_core.syntax import is_name, walk_body

# Containers that are filled after they were made: keys that are set, elements that are added, hands that may add.


MUTATING = {"update", "pop", "clear", "setdefault", "popitem"}
GROWING = {"append", "add", "extend", "insert", "appendleft"}
LOOKING = {"len", "print", "str", "sorted", "dict", "list", "repr", "bool", "isinstance"}


def infer_container(values: ShapeLookup, name: str, inferred: KnownShape) -> KnownShape:
    """What the container of a local name is at the end of its function."""
    if (
        not isinstance(inferred.shape, RecordShape | ContainerShape | MappingShape)
        or inferred.level >= Certainty.DECLARED
    ):
        return inferred  # whoever fills a declared one keeps to its declaration
    body = values.frame.body
    top = {id(node) for node in body}
    shape: Shape = inferred.shape
    elements: list[Shape] = []
    handed = name in _find_aliased_names(body)  # another name may be filling it
    for node in walk_body(body):
        handed |= _may_change_keys(node, name)
        for key, value in _find_key_writes(node, name):
            shape = _add_key(values, shape, key, value, id(node) in top)
        elements += _list_added_elements(values, node, name)
    if elements and isinstance(shape, ContainerShape):
        first = [shape.element] if shape.element != EMPTY else []
        shape = ContainerShape(shape.kind, join_shapes([*first, *elements]))
    if not handed or isinstance(shape, MappingShape):
        return replace(inferred, shape=shape)
    if isinstance(shape, RecordShape):
        shape = replace(shape, open=True) if shape.fields else MappingShape(UNKNOWN, UNKNOWN)
    return replace(inferred, shape=shape, level=min(inferred.level, Certainty.LIKELY))


def _may_change_keys(node: ast.AST, name: str) -> bool:
    """Whether a node may put keys into the mapping of that name, or take some out, by itself or by who gets it."""
    match node:
        case ast.Delete(targets=targets):
            return any(isinstance(t, ast.Subscript) and is_name(t.value, name) for t in targets)
        case ast.Call(func=ast.Attribute(value=base, attr=attr)) if is_name(base, name):
            return attr in MUTATING
        case ast.Call(func=ast.Name(id=word)) if word in LOOKING:
            return False
        case ast.Call(func=ast.Attribute(attr="append" | "add")):
            return False  # where it goes, it is only read; a second name is seen by `_find_aliased_names`
        case ast.Call(args=args, keywords=keywords):
            return any(is_name(a, name) for a in args) or any(is_name(k.value, name) and k.arg for k in keywords)
    return False


def _find_key_writes(node: ast.AST, name: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and is_name(target.value, name):
                yield target.slice, node.value


def _list_added_elements(values: ShapeLookup, node: ast.AST, name: str) -> list[Shape]:
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr=attr), args=args) if attr in GROWING and is_name(base, name):
            return [values.infer_shape(args[0]).shape if attr in ("append", "add") and args else UNKNOWN]
    return []


def _find_aliased_names(body: list[ast.stmt]) -> set[str]:
    """Local names whose object gets a second name: `other = name`, `self.x = name`, `[name]`."""
    aliased: set[str] = set()
    for node in walk_body(body):
        match node:
            case ast.Assign(value=ast.Name(id=name)) | ast.AnnAssign(value=ast.Name(id=name)):
                aliased.add(name)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(values=parts):
                aliased |= {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Load)}
    return aliased


def _add_key(values: ShapeLookup, shape: Shape, key: ast.expr, value: ast.expr, always: bool) -> Shape:
    if not isinstance(shape, RecordShape):
        return shape
    if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
        return MappingShape(UNKNOWN, UNKNOWN) if not shape.fields else replace(shape, open=True)
    before = shape.find_field(key.value)
    new = values.infer_shape(value).shape
    if before is not None:
        new = join_shapes((before.shape, new))
    new_field = RecordField(key.value, new, always or (before is not None and before.required))
    return replace(shape, fields=(*(f for f in shape.fields if f.name != key.value), new_field))


# What a few functions and methods of the standard library give: those that every project's values pass through.


STRINGS = ContainerShape("list", STR)
_TEXT = """capitalize casefold center expandtabs format format_map join ljust lower lstrip replace rjust rstrip strip
swapcase title translate upper zfill removeprefix removesuffix"""
_TESTS = """endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace
istitle isupper startswith"""

OF_STR: dict[str, Shape] = dict.fromkeys(_TEXT.split(), STR)
OF_STR |= dict.fromkeys(_TESTS.split(), BOOL)
OF_STR |= dict.fromkeys(("count", "find", "index", "rfind", "rindex"), INT)
OF_STR |= dict.fromkeys(("split", "rsplit", "splitlines"), STRINGS)
OF_STR |= {"encode": BYTES, "partition": TupleShape((STR, STR, STR)), "rpartition": TupleShape((STR, STR, STR))}

OF_BYTES: dict[str, Shape] = {"decode": STR, "hex": STR, "startswith": BOOL, "endswith": BOOL, "strip": BYTES}

BUILTINS: dict[str, Shape] = {
    **dict.fromkeys(("str", "repr", "ascii", "chr", "hex", "oct", "bin", "format", "input"), STR),
    **dict.fromkeys(("int", "len", "ord", "hash", "id"), INT),
    **dict.fromkeys(("bool", "isinstance", "issubclass", "callable", "hasattr", "any", "all"), BOOL),
    "float": FLOAT,
    "bytes": BYTES,
    "print": NONE,
    "setattr": NONE,
}

FUNCTIONS: dict[str, Shape] = {
    **{f"os.path.{n}": STR for n in ("join", "basename", "dirname", "abspath", "realpath", "normpath", "expanduser")},
    **{f"os.path.{n}": BOOL for n in ("exists", "isfile", "isdir", "isabs", "islink")},
    "os.path.splitext": TupleShape((STR, STR)),
    "os.path.split": TupleShape((STR, STR)),
    "os.getcwd": STR,
    "os.getpid": INT,
    "os.listdir": STRINGS,
    "json.dumps": STR,
    "time.time": FLOAT,
    "time.monotonic": FLOAT,
    "time.sleep": NONE,
    "datetime.datetime.now": PlainShape("datetime"),
    "datetime.datetime.utcnow": PlainShape("datetime"),
    "datetime.datetime.fromisoformat": PlainShape("datetime"),
    "datetime.date.today": PlainShape("date"),
    "datetime.timedelta": PlainShape("timedelta"),
    "uuid.uuid4": PlainShape("UUID"),
    "textwrap.dedent": STR,
    "re.sub": STR,
    "re.escape": STR,
    "random.random": FLOAT,
    "random.randint": INT,
    "html.escape": STR,
    "urllib.parse.quote": STR,
    "urllib.parse.urljoin": STR,
    "tempfile.mkdtemp": STR,
}


MAX_DEPTH = 60  # expressions in expressions, through the functions that they call
MAX_PARTS = 500  # of one shape: to compare and to print it costs as much


class ExpressionShapes:
    """Shapes of the expressions of one function."""

    def __init__(self, signatures: SignatureLookup, frame: CodeScope) -> None:
        self.signatures, self.frame = signatures, frame
        self.index, self.hints = signatures.index, signatures.hints
        self._names: dict[tuple[str, int], KnownShape] = {}

    def infer_shape(self, expression: ast.expr) -> KnownShape:
        """What the expression can be."""
        if self.signatures.depth > MAX_DEPTH:
            return DARK
        self.signatures.depth += 1
        try:
            inferred = self._infer_expression(expression)
            return DARK if is_larger(inferred.shape, MAX_PARTS) else inferred
        finally:
            self.signatures.depth -= 1

    def _infer_expression(self, expression: ast.expr) -> KnownShape:
        match expression:
            case ast.Constant(value=value):
                return (
                    DARK if value is ... else _make_certain(NONE if value is None else PlainShape(type(value).__name__))
                )
            case ast.JoinedStr():
                return _make_certain(STR)
            case ast.Name(id=name):
                return self.infer_name(name, expression.lineno)
            case ast.Attribute(value=base, attr=attr):
                return self._infer_attribute(base, attr)
            case ast.Call():
                return self._infer_call(expression)
            case ast.Await(value=inner) | ast.NamedExpr(value=inner):
                return self.infer_shape(inner)
            case ast.Dict():
                return self._infer_dict(expression)
            case ast.Subscript(value=base, slice=key):
                return self._infer_item(self.infer_shape(base), key)
            case ast.IfExp(body=body, orelse=orelse):
                return join_known((self.infer_shape(body), self.infer_shape(orelse)))
            case ast.BoolOp(op=op, values=parts):
                return self._infer_choice(op, parts)
            case ast.BinOp():
                return infer_arithmetic(
                    expression.op, self.infer_shape(expression.left), self.infer_shape(expression.right)
                )
            case ast.UnaryOp(op=op, operand=inner):
                return _make_certain(BOOL) if isinstance(op, ast.Not) else self.infer_shape(inner)
            case ast.Compare(ops=ops):
                clear = all(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in ops)
                return KnownShape(BOOL, Certainty.CERTAIN if clear else Certainty.LIKELY, "code")
        return self._infer_container(expression)

    def _infer_container(self, expression: ast.expr) -> KnownShape:
        match expression:
            case ast.List(elts=parts):
                return self._infer_elements("list", parts)
            case ast.Set(elts=parts):
                return self._infer_elements("set", parts)
            case ast.Tuple(elts=parts):
                if any(isinstance(p, ast.Starred) for p in parts):
                    return _make_certain(ContainerShape("tuple", UNKNOWN))
                return _make_certain(TupleShape(tuple(self.infer_shape(p).shape for p in parts)))
            case ast.ListComp(elt=element):
                return _make_certain(ContainerShape("list", self.infer_shape(element).shape))
            case ast.SetComp(elt=element):
                return _make_certain(ContainerShape("set", self.infer_shape(element).shape))
            case ast.GeneratorExp(elt=element):
                return _make_certain(ContainerShape("Iterator", self.infer_shape(element).shape))
            case ast.DictComp(key=key, value=value):
                return _make_certain(MappingShape(self.infer_shape(key).shape, self.infer_shape(value).shape))
            case ast.Lambda():
                return _make_certain(PlainShape("Callable"))
        return DARK

    def _infer_elements(self, kind: str, parts: list[ast.expr]) -> KnownShape:
        if not parts:
            return _make_certain(ContainerShape(kind, EMPTY))
        if any(isinstance(p, ast.Starred) for p in parts):
            return _make_certain(ContainerShape(kind, UNKNOWN))
        return _make_certain(ContainerShape(kind, join_shapes(self.infer_shape(p).shape for p in parts)))

    # ---- names

    def infer_name(self, name: str, line: int = 1 << 30) -> KnownShape:
        """What a local name, a parameter or a module's variable can be at a line."""
        bound, from_start = self.frame.find_reaching_assignments(name, line)
        key = (name, bound[0].line if bound and not from_start else 0)
        if key not in self._names:
            self._names[key] = DARK  # a name that is asked about itself
            self._names[key] = self._infer_bound_name(name, bound, from_start)
        return self._names[key]

    def _infer_bound_name(self, name: str, bound: list[Assignment], from_start: bool) -> KnownShape:
        function = self.frame.function
        own: list[KnownShape] = []
        if function is not None:
            file = self.signatures.sources[self.frame.path]
            every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            argument = next((a for a in every if a.arg == name), None)
            if argument is not None and from_start:
                cls = file.owner.get(self.frame.name, "") if file is not None else ""
                if cls and argument is every[0] and not _is_static(function):
                    self_shape = KnownShape(InstanceShape(self.frame.path, cls), Certainty.DECLARED, "self")
                    return self_shape if not _is_class_level(function) else DARK
                own.append(self._infer_parameter(name))
            elif name in {getattr(function.args.vararg, "arg", ""), getattr(function.args.kwarg, "arg", "")}:
                return DARK
        if not bound and not own:
            return self._infer_global(name)
        hint = next(
            (
                assignment.value
                for assignment in self.frame.collect_assignments().get(name, ())
                if assignment.how == "hint"
            ),
            None,
        )
        if hint is not None:
            shape = self.hints.read_shape(self.frame.path, hint)
            return KnownShape(shape, Certainty.DECLARED, "hint") if shape != UNKNOWN else DARK
        return infer_container(
            self,
            name,
            join_known([*own, *(self._infer_assignment(assignment.how, assignment.value) for assignment in bound)]),
        )

    def _infer_parameter(self, name: str) -> KnownShape:
        function = self.frame.function
        assert function is not None
        parameter = next(
            (t for t in self.signatures.list_parameters(self.frame.path, function) if t.name == name), None
        )
        return parameter.told if parameter is not None else DARK

    def _infer_assignment(self, how: str, value: ast.expr | None) -> KnownShape:
        if value is None:
            return DARK
        if how in ("value", "grown"):
            return self.infer_shape(value)
        if how == "caught":
            kinds = value.elts if isinstance(value, ast.Tuple) else [value]
            return join_known(
                KnownShape(self.hints.read_shape(self.frame.path, kind), Certainty.CERTAIN, "code") for kind in kinds
            )
        if how == "element":
            return infer_element(self.infer_shape(value))
        if how.startswith("part "):
            inferred, number = self.infer_shape(value), int(how[5:])
            if isinstance(inferred.shape, TupleShape) and number < len(inferred.shape.elements):
                shape = inferred.shape.elements[number]
                return replace(inferred, shape=shape) if shape != UNKNOWN else DARK
        return DARK

    def _infer_global(self, name: str) -> KnownShape:
        if self._is_enclosed(name):
            return DARK
        resolved = self.index.look_up(self.frame.path, name)
        return self._infer_variable(resolved[0], name) if isinstance(resolved, tuple) else DARK

    def _is_enclosed(self, name: str) -> bool:
        """Whether a function around this one has the name: what it is when this one runs, nobody can tell."""
        file, outer = self.signatures.sources[self.frame.path], self.frame.name.rpartition(".")[0]
        while outer and file is not None:
            function = file.functions.get(outer)
            if function is not None:
                frame = CodeScope(self.frame.path, outer, function)
                arguments = [a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)]
                if name in frame.collect_assignments() or name in arguments:
                    return True
            outer = outer.rpartition(".")[0]
        return False

    def _infer_variable(self, path: str, name: str) -> KnownShape:
        file = self.signatures.sources[path]
        values = file.variables.get(name, []) if file is not None else []
        if len(values) != 1:
            return DARK
        inferred = ExpressionShapes(self.signatures, CodeScope(path)).infer_shape(values[0])
        simple = isinstance(inferred.shape, PlainShape | TupleShape | InstanceShape)
        if isinstance(inferred.shape, RecordShape) and name.isupper() and name not in self.signatures.filled_elsewhere:
            simple = True  # a table that is written as a constant, and that nobody changes
        sure = (
            Certainty.CERTAIN
            if isinstance(inferred.shape, InstanceShape) and self._is_bound_once(path, name)
            else Certainty.LIKELY
        )
        return replace(inferred, level=min(inferred.level, sure)) if simple else DARK

    def _is_bound_once(self, path: str, name: str) -> bool:
        """Whether a module's variable is bound once and nobody sets it from outside: `handler = Handler()`."""
        file = self.signatures.sources[path]
        return file is not None and name in file.bound_once and name not in self.signatures.set_from_outside

    # ---- attributes and items

    def _infer_attribute(self, base: ast.expr, attr: str) -> KnownShape:
        inferred = self.infer_shape(base)
        alternatives = [
            self.signatures.members.find_attribute(option, attr) for option in expand_union(strip_none(inferred.shape))
        ]
        if any(option is None for option in alternatives):
            return DARK
        joined = join_known(option for option in alternatives if option is not None)
        return replace(joined, level=min(joined.level, inferred.level)) if joined.shape != UNKNOWN else DARK

    def _infer_item(self, inferred: KnownShape, key: ast.expr) -> KnownShape:
        items: list[Shape] = []
        for option in expand_union(strip_none(inferred.shape)):
            items.append(infer_item(option, key))
        shape = join_shapes(items)
        return replace(inferred, shape=shape) if shape != UNKNOWN else DARK

    def _infer_dict(self, node: ast.Dict) -> KnownShape:
        fields: dict[str, RecordField] = {}
        is_open = False
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                spread = self.infer_shape(value).shape
                if isinstance(spread, RecordShape):
                    fields |= {f.name: f for f in spread.fields}
                    is_open |= spread.open
                else:
                    is_open = True
            elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                fields[key.value] = RecordField(key.value, self.infer_shape(value).shape)
            else:
                is_open = True
        if is_open and not fields:
            return _make_certain(MappingShape(UNKNOWN, UNKNOWN))
        return _make_certain(RecordShape(tuple(fields.values()), is_open))

    # ---- operators

    def _infer_choice(self, op: ast.boolop, parts: list[ast.expr]) -> KnownShape:
        operands = [self.infer_shape(part) for part in parts]
        if isinstance(op, ast.Or):
            operands = [replace(operand, shape=strip_none(operand.shape)) for operand in operands[:-1]] + operands[-1:]
            operands = [operand for operand in operands[:-1] if operand.shape != NONE] + operands[-1:]
        return join_known(operands)

    # ---- calls

    def _infer_call(self, call: ast.Call) -> KnownShape:
        match call.func:
            case ast.Name(id=name) if (own := self._find_own_class(name)) is not None:
                return KnownShape(own, Certainty.LIKELY, "code")  # a subclass may be meant
            case ast.Name(id=name) if name not in self.frame.collect_assignments():
                return self._infer_called(self.index.look_up(self.frame.path, name), call)
            case ast.Attribute(value=base, attr=attr):
                dotted = self.find_dotted_name(base)
                if dotted is not None:
                    cls = self.index.look_up_dotted(self.frame.path, dotted)
                    if isinstance(cls, ClassRef):
                        return self._infer_class_call(cls, attr)
                    return self._infer_called(self.index.look_up_dotted(self.frame.path, f"{dotted}.{attr}"), call)
                return self._infer_method(self.infer_shape(base), attr, call)
        return DARK

    def _find_own_class(self, name: str) -> InstanceShape | None:
        """The class that `cls` is in a classmethod."""
        function, file = self.frame.function, self.signatures.sources[self.frame.path]
        if function is None or file is None or not _is_class_level(function) or not function.args.args:
            return None
        return (
            InstanceShape(self.frame.path, file.owner[self.frame.name]) if function.args.args[0].arg == name else None
        )

    def find_dotted_name(self, base: ast.expr) -> str | None:
        """The dotted name of a module or class that stands before a call's last word."""
        if not isinstance(base, ast.Name | ast.Attribute):
            return None
        name = ast.unparse(base)
        if (
            name.partition(".")[0] in self.frame.collect_assignments()
            or not name.replace(".", "").replace("_", "a").isalnum()
        ):
            return None
        resolved = self.index.look_up_dotted(self.frame.path, name)
        return name if isinstance(resolved, ModuleRef | ExternalRef | ClassRef) else None

    def _infer_called(self, resolved: LookupResult | None, call: ast.Call) -> KnownShape:
        match resolved:
            case ClassRef(path=path, name=cls):
                return (
                    KnownShape(self.hints.read_class(path, cls), Certainty.CERTAIN, "code")
                    if self._makes_instance(path, cls)
                    else DARK
                )
            case FunctionRef():
                signature = self.signatures.find_for_code(resolved)
                return signature.gives if signature is not None and not signature.strange else DARK
            case ExternalRef(name=dotted):
                return self._infer_outside_call(dotted, call)
        return DARK

    def _infer_class_call(self, cls: ClassRef, attr: str) -> KnownShape:
        """What `Class.method(…)` gives, where nobody below has it anew."""
        target = self.signatures.members.find_method(InstanceShape(cls.path, cls.name), attr)
        signature = self.signatures.find(*target) if target is not None else None
        return signature.gives if signature is not None and not signature.strange else DARK

    def _makes_instance(self, path: str, cls: str) -> bool:
        """Whether calling a class gives an object of it."""
        family = self.index.iter_classes(path, cls)
        return not any(
            "__new__" in class_facts.methods or "__call__" in class_facts.attributes for _, class_facts in family
        )

    def _infer_outside_call(self, dotted: str, call: ast.Call) -> KnownShape:
        if dotted.startswith("builtins."):
            return self._infer_builtin(dotted[9:], call)
        if dotted in ("os.environ.get", "os.getenv"):
            return _make_certain(
                STR if len(call.args) > 1 and self.infer_shape(call.args[1]).shape == STR else join_shapes((STR, NONE))
            )
        if dotted in FUNCTIONS:
            sure = _make_certain(FUNCTIONS[dotted])
            if dotted.startswith("os.path.") and sure.shape != BOOL:  # bytes in, bytes out
                gets_text = any(STR in expand_union(self.infer_shape(argument).shape) for argument in call.args)
                return sure if gets_text else replace(sure, level=Certainty.LIKELY)
            return sure
        if dotted in ("collections.OrderedDict", "collections.defaultdict"):
            return _make_certain(MappingShape(UNKNOWN, UNKNOWN))
        last = dotted.rpartition(".")[2]
        return (
            KnownShape(PlainShape(last), Certainty.LIKELY, "code")
            if last[:1].isupper() and not last.isupper()
            else DARK
        )

    def _infer_builtin(self, name: str, call: ast.Call) -> KnownShape:
        if name == "dict":
            return self._infer_dict_call(call)
        if name in BUILTINS:
            return _make_certain(BUILTINS[name])
        if name == "next" and call.args:
            return join_known(
                (infer_element(self.infer_shape(call.args[0])), *(self.infer_shape(a) for a in call.args[1:2]))
            )
        if name in ("list", "set", "sorted", "frozenset", "tuple"):
            kind = "list" if name == "sorted" else name
            element = infer_element(self.infer_shape(call.args[0])).shape if call.args else EMPTY
            return _make_certain(ContainerShape(kind, element))
        return DARK

    def _infer_dict_call(self, call: ast.Call) -> KnownShape:
        if call.args or any(k.arg is None for k in call.keywords):
            copied = self.infer_shape(call.args[0]) if len(call.args) == 1 and not call.keywords else DARK
            return (
                copied
                if isinstance(copied.shape, RecordShape | MappingShape)
                else _make_certain(MappingShape(UNKNOWN, UNKNOWN))
            )
        if not call.keywords:
            return _make_certain(RecordShape())
        return _make_certain(
            RecordShape(tuple(RecordField(k.arg or "", self.infer_shape(k.value).shape) for k in call.keywords))
        )

    def _infer_method(self, inferred: KnownShape, attr: str, call: ast.Call) -> KnownShape:
        results: list[KnownShape] = []
        for option in expand_union(strip_none(inferred.shape)):
            results.append(self._infer_method_result(option, attr, call))
        joined = join_known(results)
        return (
            replace(joined, level=min(joined.level, max(inferred.level, Certainty.LIKELY)))
            if joined.shape != UNKNOWN
            else DARK
        )

    def _infer_method_result(self, shape: Shape, attr: str, call: ast.Call) -> KnownShape:
        match shape:
            case PlainShape(name="str") if attr in OF_STR:
                return _make_certain(OF_STR[attr])
            case PlainShape(name="bytes") if attr in OF_BYTES:
                return _make_certain(OF_BYTES[attr])
            case InstanceShape():
                target = self.signatures.members.find_method(shape, attr)
                signature = self.signatures.find(*target) if target is not None else None
                return signature.gives if signature is not None and not signature.strange else DARK
            case MappingShape(value=value) if attr == "get" and value != UNKNOWN:
                return KnownShape(join_shapes((value, NONE)) if len(call.args) < 2 else value, Certainty.LIKELY, "code")
            case RecordShape() if attr == "get" and call.args:
                item = infer_item(shape, call.args[0])
                return KnownShape(join_shapes((item, NONE)), Certainty.LIKELY, "code") if item != UNKNOWN else DARK
            case RecordShape() | MappingShape() | ContainerShape() if attr == "copy":
                return _make_certain(shape)
        return DARK


def _make_certain(shape: Shape) -> KnownShape:
    return KnownShape(shape, Certainty.CERTAIN, "code")


def _is_static(function: FunctionNode) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)


def _is_class_level(function: FunctionNode) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "classmethod" for d in function.decorator_list)
