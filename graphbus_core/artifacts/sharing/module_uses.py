"""Where a module uses each name, by its syntax alone: what a name that nobody else uses stands for is known wholly."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from graphbus_core.artifacts.sharing import library
from graphbus_core.artifacts.sharing.memo_forms import (
    Function,
    Memo,
    find_alias,
    find_memo,
    is_fresh,
    list_arguments,
    list_locals,
    list_room_making,
)
from graphbus_core.artifacts.sharing.values import ClassScope, ModuleScope, Outside

BEGINNING = (
    ast.Assign,
    ast.AnnAssign,
    ast.If,
    ast.Try,
    ast.Return,
    ast.Expr,
    ast.With,
)  # statements that a lookup begins with
_SET_UP = frozenset(("__init__", "on_start"))
_COUNTING = frozenset(("Counter()", "defaultdict(int)"))
_PUTTING = frozenset(("append", "appendleft", "add", "update", "extend", "discard", "clear"))
# By these a text may stand for what has that name.
_BY_NAME = (
    *("getattr", "globals", "locals", "vars", "eval", "exec", "__dict__", "__getattribute__", "__import__", "modules"),
    *("import_module", "attrgetter", "methodcaller", "getmembers", "get_type_hints"),
)
_Defined = ast.FunctionDef | ast.AsyncFunctionDef


class ModuleUses:
    """Where a module uses each name, by its syntax alone."""

    def __init__(self, module: ModuleScope, found: dict[ast.stmt, Memo | None]) -> None:
        self._module = module
        self._around: dict[ast.AST, list[_Defined]] = {}
        self._in_lookups: set[ast.AST] = set()
        self._set_up: set[ast.AST] = set()
        self._entered: set[ast.AST] = set()
        self._closed: set[ast.AST] = set()  # calls that put something on a stack which a `with` closes
        self._made: set[ast.AST] = set()  # of these, what is bound to something made in its place
        self._uses: dict[str, list[ast.AST]] = {}
        self._guarded: set[ast.AST] = set()  # what is counted so that it matters not whether the key is there
        self._of_classes: set[ast.AST] = set()  # lines, where `n = n + 1` reads one `n` and binds another one
        self._fields: set[ast.AST] = set()  # of a record, each object of which makes its own
        self._variables: set[ast.AST] = set()  # names in functions: none of them is an attribute
        self._found = found
        self._bases: set[str] = set()
        self._writes: set[ast.AST] = set()  # places that are changed, and not read
        self.counted: set[str] = set()  # `M[k] += 1`
        self.added_to: set[str] = set()  # `x += 1`
        self.put_into: set[str] = set()  # `M.update(…)`
        self.cleared: set[str] = set()  # `M.clear()`
        self._stores: dict[str, list[ast.AST]] = {}
        self._numbers: set[ast.AST] = set()  # of these, what is bound to a whole number
        self._functions: set[str] = set()  # their names
        self._rebound: set[str] = set()  # what a function says to be a name of the module, or of a function around
        self._counters: set[ast.AST] = set()  # places that are bound to what has a value for each key
        self._tallies: dict[ast.AST, set[object]] = {}  # the keys of a dict of numbers that a place is bound to
        self._counted_keys: dict[
            str, set[object]
        ] = {}  # what is counted in it; an expression where it is not a constant
        self.lines: dict[str, set[str]] = {}  # that fill what has this name
        self._aliases: dict[ast.stmt, list[ast.stmt] | None] = {}
        self._read(module.tree, [])

    def list_around(self, function: ast.AST) -> list[_Defined]:
        """The functions around one, from the inside."""
        return self._around.get(function, [])

    def find_alias(self, body: Sequence[ast.stmt], index: int, function: Function) -> list[ast.stmt] | None:
        """What follows, where a name is but another one for a holder that is looked up there."""
        statement = body[index]
        if statement not in self._aliases:
            following = find_alias(body, index, function)
            path = statement.value if isinstance(statement, ast.Assign) else None
            if following is not None and (path is None or not self._has_lookup(following, path, function)):
                following = None
            self._aliases[statement] = following
        return self._aliases[statement]

    def _has_lookup(self, block: list[ast.stmt], holder: ast.expr, function: Function) -> bool:
        """Whether that is looked up in these lines."""
        blocks = [block, *(inner for s in block for part in ast.walk(s) for inner in _list_blocks(part))]
        places = [(inner, index) for inner in blocks for index in range(len(inner))]
        memos = [self._find(inner, index, function) for inner, index in places]
        if not any(memo is not None and _dump_path(memo.holder) == _dump_path(holder) for memo in memos):
            return False
        for inner in blocks:
            self._read_block(inner, function)
        return True

    def _find(self, block: list[ast.stmt], index: int, function: Function) -> Memo | None:
        statement = block[index]
        if statement not in self._found:
            memo = find_memo(block, index, function) if isinstance(statement, BEGINNING) else None
            self._found[statement] = memo
        return self._found[statement]

    def has(self, name: str) -> bool:
        """Whether the name stands anywhere in it."""
        return name in self._uses

    def is_closed(self, name: str, is_slot: bool) -> bool:
        """Whether it stands in lookups alone, and where it is first set: a holder to what is made there."""
        return all(
            use in self._in_lookups or (use in self._set_up and (is_slot or use in self._made))
            for use in self._uses.get(name, ())
        )

    def is_unread(self, name: str, *, is_counted: bool) -> bool:
        """Whether it is set up and changed, and nobody ever asks what it is; `is_counted`: by key, in some module."""
        uses = self._uses.get(name, ())
        if is_counted and not all(self._has_numbers(u, name) if u in self._set_up else u in self._writes for u in uses):
            return False
        return all(use in self._writes or use in self._set_up for use in uses)

    def _has_numbers(self, use: ast.AST, name: str) -> bool:
        """Whether it is bound to what has a number under each key that is counted."""
        keys = self._tallies.get(use)
        return use in self._counters or (keys is not None and self._counted_keys.get(name, set()) <= keys)

    def needs_keys(self, name: str) -> bool:
        """Whether it is bound to a dict, which has a number only under the keys that it was given."""
        return any(use in self._tallies for use in self._uses.get(name, ()))

    def holds_numbers(self, name: str) -> bool:
        """Whether it is bound to whole numbers alone."""
        return all(store in self._numbers for store in self._stores.get(name, ()))

    def is_rebound(self, name: str) -> bool:
        """Whether a function binds that name of the module or of the closure anew."""
        return name in self._rebound or any(isinstance(use, ast.Attribute) for use in self._stores.get(name, ()))

    def is_set(self, name: str) -> bool:
        """Whether an attribute of that name is bound anywhere."""
        return any(isinstance(use, ast.Attribute) for use in self._stores.get(name, ()))

    def is_reset(self, name: str) -> bool:
        """Whether an attribute of that name is set otherwise than at set up, or is computed."""
        stores = [use for use in self._stores.get(name, ()) if isinstance(use, ast.Attribute)]
        texts = [use for use in self._uses.get(name, ()) if isinstance(use, ast.Constant)]
        return name in self._functions or name in self._rebound or bool(texts) or not {*stores} <= self._set_up

    def is_entered(self, name: str, *, is_method: bool) -> bool:
        """Whether it is called in a `with`, and used nowhere else; `is_method`: of a class that no function makes."""
        uses = self._uses.get(name, [])
        if is_method:  # a variable of a function is another thing
            uses = [use for use in uses if use not in self._variables]
        if not any(map(self.has, _BY_NAME)):  # a text of that name is but a text
            uses = [use for use in uses if not isinstance(use, ast.Constant)]
        return all(use in self._entered for use in uses)

    def is_made_by_each(self, name: str) -> bool:
        """Whether each object makes its own when it is definitions."""
        definitions = [use for use in self._uses.get(name, ()) if use in self._set_up]
        return bool(definitions) and all(
            use in self._fields or (use in self._made and isinstance(use, ast.Attribute)) for use in definitions
        )

    def is_field(self, name: str) -> bool:
        """Whether a record has a field of that name that it makes for itself unless it is given one."""
        return any(use in self._fields for use in self._uses.get(name, ()))

    def is_alone(self, cls: ClassScope, name: str) -> bool:
        """Whether a class makes that for itself, and no class of the module inherits it."""
        others = {*cls.list_outside()} - library.PLAIN_BASES
        return name in cls.names and len(cls.lineage()) == 1 and not others and not self.is_base(cls.node.name)

    def is_base(self, name: str) -> bool:
        """Whether a class of this module inherits one of that name."""
        return name in self._bases

    def is_closure_of(self, names: set[str], holder: str, around: list[_Defined]) -> bool:
        """Whether these names belong to the function that makes the holder, or to what is around that."""
        place = next((i for i, function in enumerate(around) if holder in list_locals(function)), len(around))
        within = set[str]().union(*map(list_locals, around[:place]))
        if place < len(around):
            within -= list_locals(around[place])
            bound = [
                part
                for part in ast.walk(around[place])
                if isinstance(part, ast.Name) and part.id == holder and not isinstance(part.ctx, ast.Load)
            ]
            if len(bound) != 1 or bound[0] not in self._made:
                return False
        return not names & within

    def _read(self, node: ast.AST, around: list[_Defined]) -> None:
        self._list_use(node)
        if isinstance(node, ast.With | ast.AsyncWith):
            self._list_entered(node, around)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for part in _part_assignment(node):
                self._read_assignment(part, around)
        if isinstance(node, ast.ClassDef):
            self._bases |= {part.id for base in node.bases for part in ast.walk(base) if isinstance(part, ast.Name)}
            self._of_classes.update(node.body)
            made = {s.target for s in node.body if isinstance(s, ast.AnnAssign) and _is_made_as_field(s.value)}
            self._fields |= made
            self._made |= made
        inner = around
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._around[node] = around
            inner = [node, *around]
            if not around:  # what its defaults and decorators name may be what a class has
                self._variables |= {p for s in node.body for p in ast.walk(s) if isinstance(p, ast.Name)}
            self._read_defaults(node)
        elif isinstance(node, ast.Lambda):
            self._around[node] = around
        if inner:
            for block in _list_blocks(node):
                self._read_block(block, inner[0])
        for child in ast.iter_child_nodes(node):
            self._read(child, inner)

    def _list_entered(self, node: ast.With | ast.AsyncWith, around: list[_Defined]) -> None:
        """What a `with` runs to its end: itself, or by a stack that it closes."""
        for item in node.items:
            if not isinstance(item.context_expr, ast.Call):
                continue
            self._entered.add(item.context_expr.func)
            stack = item.optional_vars.id if isinstance(item.optional_vars, ast.Name) else ""
            if not stack or not around or not self._is_stack(item.context_expr.func):
                continue
            uses = [part for part in ast.walk(around[0]) if isinstance(part, ast.Name) and part.id == stack]
            calls = [p for s in node.body for p in ast.walk(s) if isinstance(p, ast.Call) and _is_put_on(p, stack)]
            if len(uses) == len(calls) + 1:  # nobody else has it: it is closed with all that is on it
                self._closed.update(calls)
                self._entered.update(c.args[0].func for c in calls if c.args and isinstance(c.args[0], ast.Call))

    def _is_stack(self, called: ast.expr) -> bool:
        """Whether that is the library's `ExitStack`."""
        match called:
            case ast.Name(id=name):
                return self._module.names.get(name) == frozenset((Outside("contextlib.ExitStack"),))
            case ast.Attribute(value=ast.Name(id=name), attr="ExitStack"):
                return self._module.names.get(name) == frozenset((Outside("contextlib"),))
        return False

    def runs_to_its_end(self, call: ast.Call) -> bool:
        """Whether a `with` enters and leaves what this call gives."""
        return call.func in self._entered

    def is_closed_in_time(self, call: ast.Call) -> bool:
        """Whether a `with` closes the stack that this call puts something on."""
        return call in self._closed

    def _read_defaults(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        args = node.args
        positional = [*args.posonlyargs, *args.args]
        pairs = [*zip(reversed(positional), reversed(args.defaults), strict=False)]
        pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None]
        for arg, default in pairs:
            if _is_made(default):
                self._set_up.add(arg)
                self._made.add(arg)

    def _list_use(self, node: ast.AST) -> None:
        names: list[str] = []
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._functions.add(name)
            case ast.Global(names=others) | ast.Nonlocal(names=others):
                self._rebound.update(others)
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                names = [name]
            case ast.Constant(value=str(name)):
                names = [name]
            case ast.alias(name=name, asname=other):
                names = [name.rpartition(".")[2], *([other] if other else [])]
            case ast.MatchClass(kwd_attrs=names):  # a pattern reads attributes
                pass
        for name in names:
            self._uses.setdefault(name, []).append(node)
            if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load):
                self._stores.setdefault(name, []).append(node)
        if isinstance(node, ast.stmt):
            counts, asked = list_counts(node) if node not in self._of_classes else ([], [])
            self._writes.update(asked)
            self._guarded.update(counts)
            for count in counts:
                self._list_write(count, count.target.value if isinstance(count.target, ast.Subscript) else count.target)
            if not counts and (write := read_write(node)) is not None:
                self._list_write(node, write[0])

    def _list_write(self, node: ast.stmt, place: ast.expr) -> None:
        self._writes.add(place)
        match node:
            case ast.AugAssign(target=ast.Subscript(slice=key)):
                self.counted.add(get_name(place))
                keys = self._counted_keys.setdefault(get_name(place), set())
                if isinstance(key, ast.Constant) or node not in self._guarded:
                    keys.add(key.value if isinstance(key, ast.Constant) else key)
            case ast.AugAssign():
                self.added_to.add(get_name(place))
                self._numbers.add(place)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=method))):
                (self.cleared if method == "clear" else self.put_into).add(get_name(place))

    def _read_assignment(self, node: ast.Assign | ast.AnnAssign, around: list[_Defined]) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None or (isinstance(node.value, ast.Constant) and type(node.value.value) is int):
            self._numbers.update(targets)
        for target in targets:
            if isinstance(target, ast.Name) and target.id == "__slots__" and node.value is not None:
                self._set_up |= {*ast.walk(node.value)}
                self._made |= {*ast.walk(node.value)}
            owners = list_arguments(around[0])[:1] if around else []
            is_own = isinstance(target, ast.Name) or find_base(target) in owners
            if not is_own or (around and isinstance(target, ast.Attribute) and around[0].name not in _SET_UP):
                continue
            self._set_up.add(target)
            if isinstance(node.value, ast.Dict) and all(map(_is_number, node.value.values)):
                self._tallies[target] = {k.value for k in node.value.keys if isinstance(k, ast.Constant)}
            if self._is_counting(node.value, around):
                self._counters.add(target)
            if len(targets) == 1 and _is_made(node.value):
                self._made.add(target)

    def _is_counting(self, value: ast.expr | None, around: list[_Defined]) -> bool:
        """Whether that is the library's own `Counter()` or `defaultdict(int)`."""
        if not isinstance(value, ast.Call) or ast.unparse(value).rpartition("collections.")[2] not in _COUNTING:
            return False
        own = set[str]().union(*map(list_locals, around))
        path = ast.unparse(value.func)
        head, _, rest = path.partition(".")
        known = Outside("collections" if rest else f"collections.{head}")
        is_shadowed = "int" in own or "int" in self._module.names
        return head not in own and not is_shadowed and self._module.names.get(head) == frozenset((known,))

    def _read_block(self, block: list[ast.stmt], function: Function) -> None:
        for index, statement in enumerate(block):
            if isinstance(statement, ast.Assign) and self.find_alias(block, index, function) is not None:
                self._in_lookups |= {*ast.walk(statement)}
            memo = self._find(block, index, function)
            holder = memo.holder if memo is not None else list_room_making(statement)
            if holder is not None:
                wanted = _dump_path(holder)
                parts = block[index:] if memo is not None else [statement]
                for part in (part for s in parts for part in ast.walk(s)):
                    if isinstance(part, type(holder)) and _dump_path(part) == wanted:
                        self._in_lookups |= {*ast.walk(part)}
                if memo is not None:
                    self.lines.setdefault(get_name(holder), set()).add(memo.dump)
                if isinstance(statement, ast.If) and memo is not None and memo.is_slot:  # `hasattr(self, "table")`
                    self._in_lookups |= {part for part in ast.walk(statement.test) if isinstance(part, ast.Constant)}


def _is_put_on(call: ast.Call, stack: str) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Name(id=name), attr="enter_context" | "callback" | "push"):
            return name == stack
    return False


def _part_assignment(node: ast.Assign | ast.AnnAssign) -> list[ast.Assign | ast.AnnAssign]:
    """`a, b = {}, []` as two assignments."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(
            values
        ) and not any(isinstance(part, ast.Starred) for part in (*targets, *values)):
            return [ast.Assign([target], value) for target, value in zip(targets, values, strict=True)]
    return [node]


def _list_blocks(node: ast.AST) -> list[list[ast.stmt]]:
    blocks = [getattr(node, field, None) for field in ("body", "orelse", "finalbody")]
    return [block for block in blocks if isinstance(block, list) and block and isinstance(block[0], ast.stmt)]


def _is_made(value: ast.expr | None) -> bool:
    """Whether a dict is made here; or nothing, as by a bare annotation."""
    return value is None or isinstance(value, ast.Dict) or is_fresh(value)


def _is_made_as_field(value: ast.expr | None) -> bool:
    """Whether that is `field(default_factory=dict)`; who makes the object may give another one."""
    match value:
        case ast.Call(func=ast.Name(id="field") | ast.Attribute(attr="field"), args=[], keywords=keywords):
            factories = [k.value for k in keywords if k.arg == "default_factory"]
            return len(factories) == 1 and is_fresh(ast.Call(factories[0], [], []))
    return False


def find_base(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def get_name(holder: ast.expr) -> str:
    """The last word of a path, without what stands in brackets."""
    while isinstance(holder, ast.Subscript):
        holder = holder.value
    return holder.attr if isinstance(holder, ast.Attribute) else getattr(holder, "id", "")


def _dump_path(node: ast.expr) -> str:
    return ast.unparse(node)


def read_write(statement: ast.stmt) -> tuple[ast.expr, list[ast.expr]] | None:
    """The place that a statement changes without reading it, and what else it asks for: a number is counted up, an
    element added. Whether it fails does not depend on what is there.
    """
    match statement:
        case ast.AugAssign(target=ast.Attribute() | ast.Name() as place, op=ast.Add() | ast.Sub(), value=value) if (
            _is_count(value)
        ):
            return place, [value]
        case ast.AugAssign(target=ast.Subscript(value=place, slice=key), op=ast.Add() | ast.Sub(), value=value) if (
            _is_count(value)
        ):
            return place, [key, value]
        case ast.Assign(targets=[ast.Attribute() as place], value=value):
            return place, [value]
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=place, attr=name), args=args, keywords=[])) if (
            name in _PUTTING and not any(isinstance(a, ast.Starred) for a in args)
        ):
            return place, args
    return None


def list_counts(statement: ast.stmt) -> tuple[list[ast.AugAssign], list[ast.expr]]:
    """What is counted, as `M[k] += 1`, by lines that are written otherwise, and the places that these ask for beside:
    `n = n + 1`, `M[k] = M.get(k, 0) + 1`, and `if k in M: M[k] += 1`, which may count something else under a constant.
    """
    match statement:
        case ast.Assign(
            targets=[ast.Attribute() | ast.Name() as place],
            value=ast.BinOp(left=ast.Attribute() | ast.Name() as again, op=ast.Add() | ast.Sub() as op, right=value),
        ) if _dump_path(place) == _dump_path(again) and _is_number(value):
            return [ast.copy_location(ast.AugAssign(place, op, value), statement)], [again]
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Attribute() | ast.Name() as place, slice=ast.Name(id=name)) as counted],
            value=ast.BinOp(
                left=ast.Call(
                    func=ast.Attribute(value=ast.Attribute() | ast.Name() as again, attr="get"),
                    args=[ast.Name(id=key), start],
                    keywords=[],
                ),
                op=ast.Add() | ast.Sub() as op,
                right=value,
            ),
        ) if name == key and _dump_path(place) == _dump_path(again) and _is_number(start) and _is_number(value):
            return [ast.copy_location(ast.AugAssign(counted, op, value), statement)], [again]
        case ast.If(
            test=ast.Compare(
                left=ast.Name(id=name), ops=[ast.In()], comparators=[ast.Attribute() | ast.Name() as asked]
            ),
            body=[ast.AugAssign(target=ast.Subscript(slice=ast.Name(id=key))) as first],
            orelse=[] | [ast.AugAssign(target=ast.Subscript(slice=ast.Constant()))] as others,
        ) if name == key:
            counts = [first, *(o for o in others if isinstance(o, ast.AugAssign))]
            places = [c.target.value for c in counts if isinstance(c.target, ast.Subscript) and read_write(c)]
            if len(places) == len(counts) and all(_dump_path(place) == _dump_path(asked) for place in places):
                return counts, [asked]
    return [], []


def _is_number(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and type(value.value) is int


def _is_count(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return type(value.value) is int
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "len"
