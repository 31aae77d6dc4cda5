"""A method's parameters: which of them take the contract's fields, and adding, removing, defaulting one.

Three styles are known: a parameter for each field, `**kwargs`, and one parameter that holds the whole payload.
"""

from __future__ import annotations

import ast
import keyword
import re
from dataclasses import dataclass, replace
from enum import Enum

from graphbus_core import syntax
from graphbus_core.analysis import scopes
from graphbus_core.analysis.scopes import Function
from graphbus_core.editing import fstrings
from graphbus_core.editing.edit_plan import (
    EditPlan,
    accepts_constant,
    accepts_none,
    find_plain_default,
    is_same_expression,
    parse_type,
)
from graphbus_core.editing.source import Edit, Group, GroupItem, Source, find_group
from graphbus_core.editing.statements import find_statement_start
from graphbus_core.editing.worktree import is_graphbus_decorator
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.syntax import is_docstring

_GRAPHBUS_DECORATORS = ("schema_method", "contract", "depends_on", "subscribe", "publishes")


class ParameterStyle(Enum):
    """How a method takes its fields."""

    PARAMETERS = "parameters"
    KEYWORDS = "**kwargs"
    PAYLOAD = "one mapping"


@dataclass(frozen=True)
class Signature:
    """A method's parameters without `self`. `mapping` is the name that holds the fields, where one does."""

    source: Source
    function: Function
    params: tuple[ast.arg, ...]  # positional and keyword-only ones, `self` left out
    style: ParameterStyle
    mapping: str | None

    def find_parameter(self, name: str) -> ast.arg | None:
        """The parameter that takes the field of that name; None where one takes all of them."""
        if self.style is ParameterStyle.PAYLOAD:
            return None
        return next((p for p in self.params if p.arg == name), None)

    def find_default(self, param: ast.arg) -> ast.expr | None:
        """What a parameter is when it is not given."""
        return next(default for argument, _, default in syntax.list_parameters(self.function.args) if argument is param)

    def read_group(self) -> Group:
        """The parameters as they are written, `self` with them."""
        start = self.source.offset(self.function.lineno, self.function.col_offset)
        return find_group(self.source, start, self.source.span(self.function.body[0])[0])

    @property
    def place(self) -> str:
        """`agents/cleaner.py:12`."""
        return f"{self.source.path}:{self.function.lineno}"


def read_signature(source: Source, function: Function, fields: list[str], payload: str | None = None) -> Signature:
    """How `function` takes a payload of these fields. `payload`: a handler's parameter that takes it whole."""
    args = function.args
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in function.decorator_list)
    positional = [*args.posonlyargs, *args.args]
    params = (*(positional if static else positional[1:]), *args.kwonlyargs)
    if payload is not None:
        return Signature(source, function, params, ParameterStyle.PAYLOAD, payload)
    if args.kwarg is not None:
        return Signature(source, function, params, ParameterStyle.KEYWORDS, args.kwarg.arg)
    if len(params) == 1 and params[0].arg not in fields and fields:
        return Signature(source, function, params, ParameterStyle.PAYLOAD, params[0].arg)
    return Signature(source, function, params, ParameterStyle.PARAMETERS, None)


def add_parameter(
    plan: EditPlan, sig: Signature, name: str, type_text: str, optional: bool, default: str | None, hinted: bool = False
) -> None:
    """Give the method a parameter for a new field, where it takes fields by parameters. `hinted`: its hints are the
    contract, so the new one needs a hint and a default that say just what is declared."""
    if (sig.style is not ParameterStyle.PARAMETERS and not hinted) or sig.find_parameter(name) is not None:
        return
    _refuse_impossible_name(sig, name)
    _refuse_taken_name(sig, name)
    default_text, guard = _split_default(name, default if optional or default else None, optional)
    note = _choose_annotation(plan, sig, type_text, default_text)
    if hinted:
        note = plan.render_type(sig.source, type_text)
        _refuse_none_default(sig, name, type_text, default_text)
    if note:
        text = f"{name}: {note}" if default_text is None else f"{name}: {note} = {default_text}"
    else:
        text = name if default_text is None else f"{name}={default_text}"
    whole = sig.read_group()
    index, text = _place_parameter(sig, whole, text, required=default_text is None)
    plan.add(sig.source, *whole.insert(index, text))
    if guard:
        add_guard(plan, sig, guard)


def _refuse_none_default(sig: Signature, name: str, type_text: str, default_text: str | None) -> None:
    """Where the hints are the contract, None as a default would let callers send None as well."""
    if default_text == "None" and not accepts_none(parse_type(type_text)):
        raise Refusal(
            f"{name!r} would be None where it is not given, and {type_text} does not take None. Give the operation a "
            f"constant as its `default`, or the type `{type_text} | None`.",
            (sig.place,),
        )


def _refuse_taken_name(sig: Signature, name: str) -> None:
    """A name that the method has for something else would be two things at once."""
    if any(p.arg == name for p in scopes.list_parameters(sig.function.args)):
        raise Refusal(f"{name!r} is a parameter already.", (sig.place,))
    uses = [n for s in sig.function.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name]
    if uses:
        raise Refusal(f"the body uses the name {name!r} for something else.", sig.source.places(*uses))


def _choose_annotation(plan: EditPlan, sig: Signature, type_text: str, default_text: str | None) -> str:
    """The annotation of a new parameter, or "" where its neighbours have none: the file's own style is kept."""
    annotated = all(p.annotation is not None for p in sig.params) if sig.params else sig.function.returns is not None
    if not annotated:
        return ""
    note = plan.render_type(sig.source, type_text)
    if "{" in note:  # a dict literal is a contract, not an annotation
        return ""
    return f"{note} | None" if default_text == "None" and not accepts_none(parse_type(type_text)) else note


def _place_parameter(sig: Signature, whole: Group, text: str, required: bool) -> tuple[int, str]:
    """At which item a new parameter goes, and its text; keyword-only where its place would shift others."""
    args = sig.function.args
    end = len(whole.items) - (1 if args.kwarg else 0)
    if required and args.defaults and args.vararg is None and not args.kwonlyargs:
        return end, f"*, {text}"
    return end, text


def _split_default(name: str, default_text: str | None, optional: bool) -> tuple[str | None, str | None]:
    """The default in the signature, and the guard in the body that a mutable one needs."""
    if default_text is None:
        return ("None" if optional else None), None
    tree = ast.parse(default_text.strip(), mode="eval").body
    if isinstance(tree, ast.Constant) or (isinstance(tree, ast.UnaryOp) and isinstance(tree.operand, ast.Constant)):
        return default_text.strip(), None
    if isinstance(tree, ast.Tuple) and not tree.elts:
        return "()", None
    return "None", f"if {name} is None:\n    {name} = {default_text.strip()}"


def set_default(
    plan: EditPlan,
    sig: Signature,
    param: ast.arg,
    type_text: str,
    default: str | None,
    callers: list[str],
    hinted: bool = False,
) -> None:
    """Let a parameter be left out. `callers`: places that call the method by position; `hinted`: as in
    `add_parameter`.
    """
    source = sig.source
    if sig.find_default(param) is not None:
        return
    uses = scopes.find_uses(sig.function, param.arg)
    default_text = default
    if default_text is None:
        default_text = find_plain_default(type_text) if _is_sensitive_to_none(sig.function, uses) else "None"
        if default_text is None:
            raise Refusal(
                f"the body uses {param.arg!r}, and {type_text} has no plain default: give the operation a `default`.",
                source.places(*uses.names),
            )
    default_text, guard = _split_default(param.arg, default_text, True)
    if hinted:
        _refuse_none_default(sig, param.arg, type_text, default_text)
    whole = sig.read_group()
    index = whole.find_item(source.span(param)[0])
    note = _render_annotation(source, param, default_text)
    start, _ = source.span(param)
    declaration = param.arg if note is None else f"{param.arg}: {note}"
    text = f"{declaration} = {default_text}" if note is not None else f"{declaration}={default_text}"
    if _precedes_required(sig, param):
        _name_from_here(plan, sig, whole, param, callers)
        text = f"*, {text}"
    plan.add(source, Edit(start, whole.items[index].end, text.encode()))
    if guard:
        add_guard(plan, sig, guard)


def require_parameter(plan: EditPlan, sig: Signature, name: str) -> None:
    """Take a parameter's default away."""
    param = sig.find_parameter(name)
    default = sig.find_default(param) if param is not None else None
    if param is None or default is None:
        return
    args, source = sig.function.args, sig.source
    positional = [*args.posonlyargs, *args.args]
    if param in positional and positional.index(param) > len(positional) - len(args.defaults):
        raise Refusal(f"{name!r} stands behind parameters that may be left out.", (sig.place,))
    whole = sig.read_group()
    item = whole.items[whole.find_item(source.span(param)[0])]
    plan.add(source, Edit(source.span(param)[1], item.end, b""))


def _render_annotation(source: Source, param: ast.arg, default_text: str | None) -> str | None:
    if param.annotation is None:
        return None
    text = source.text(param.annotation)
    if default_text != "None":
        return text
    if isinstance(param.annotation, ast.Constant) and isinstance(param.annotation.value, str):
        if accepts_none(parse_type(param.annotation.value)):
            return text
        return f"{text[:-1]} | None{text[-1]}"
    return text if accepts_none(param.annotation) else f"{text} | None"


def _is_sensitive_to_none(function: Function, uses: scopes.NameUses) -> bool:
    """Whether some use of the parameter would fail or matter if it were None."""
    parents = {id(c): p for s in function.body for p in ast.walk(s) for c in ast.iter_child_nodes(p)}
    for name in uses.names:
        if isinstance(name.ctx, ast.Store):
            continue
        match parents.get(id(name)):
            case ast.If(test=t) | ast.IfExp(test=t) | ast.While(test=t) if t is name:
                continue
            case ast.UnaryOp(op=ast.Not()):
                continue
            case ast.Compare(left=l, ops=[ast.Is() | ast.IsNot()]) if l is name:
                continue
            case ast.BoolOp(op=ast.Or(), values=[first, *_]) if first is name:
                continue
        return True
    return bool(uses.doubtful or uses.declared)


def _precedes_required(sig: Signature, param: ast.arg) -> bool:
    """Whether parameters without a default stand behind it."""
    args = sig.function.args
    positional = [*args.posonlyargs, *args.args]
    return param not in args.kwonlyargs and positional[len(positional) - len(args.defaults) - 1] is not param


def _name_from_here(plan: EditPlan, sig: Signature, whole: Group, param: ast.arg, callers: list[str]) -> None:
    """Make a parameter and those behind it keyword-only. In another order a call that gives them by position would
    still run, and mean something else; so it fails instead, and where there is one, the change is refused."""
    args = sig.function.args
    if param in args.posonlyargs or args.vararg is not None:
        why = "is positional-only" if param in args.posonlyargs else f"stands before *{args.vararg.arg}"  # type: ignore[union-attr]
        raise Refusal(f"{param.arg!r} {why}, and others without a default follow it.", (sig.place,))
    behind = args.args[args.args.index(param) :]
    if callers:
        raise Refusal(
            f"{param.arg!r} stands before parameters that have no default, and is given by position. Give it by name "
            "in these calls first.",
            tuple(callers),
        )
    if args.kwonlyargs:  # their `*` is written here from now on
        plan.add(sig.source, *whole.remove(whole.find_item(sig.source.span(args.kwonlyargs[0])[0]) - 1))
    names = " and ".join(repr(parameter.arg) for parameter in behind)
    plan.notes.append(f"{sig.place}: {names} can only be given by name from now on, so that no order changes.")


def add_guard(plan: EditPlan, sig: Signature, guard: str) -> None:
    """Put statements at the start of the body, behind its docstring."""
    source, body = sig.source, sig.function.body
    first = body[0]
    doc = is_docstring(first)
    start = find_statement_start(source, body[1] if doc and len(body) > 1 else first)
    if not source.is_line_start(start):
        raise Refusal("the body stands on the line of its `def`; write it on lines of its own.", (sig.place,))
    indent, newline = source.indent(start), source.newline(start)
    step = b"\t" if indent.endswith(b"\t") else b"    "
    if doc and len(body) == 1:
        end = source.span(first)[1]
        lines = b"".join(newline + indent + _indent_guard_line(line, step) for line in guard.split("\n"))
        plan.add(source, Edit(end, end, lines))
        return
    lines = b"".join(indent + _indent_guard_line(line, step) + newline for line in guard.split("\n"))
    line_start = source.line_start(start)
    plan.add(source, Edit(line_start, line_start, lines))


def _indent_guard_line(line: str, step: bytes) -> bytes:
    bare = line.lstrip(" ")
    return step * ((len(line) - len(bare)) // 4) + bare.encode()


def remove_parameter(plan: EditPlan, sig: Signature, name: str) -> None:
    """Take a field's parameter away. Refusal names the lines that use it."""
    param = sig.find_parameter(name)
    if param is None:
        return
    _refuse_decorator_mentions(sig, name)
    uses = scopes.find_uses(sig.function, name)
    used = [*uses.names, *uses.declared, *uses.doubtful, *scopes.find_scope_lookups(sig.function)]
    if used:
        raise Refusal(f"{name!r} is still used in the body; replace_body first.", sig.source.places(*used))
    whole = sig.read_group()
    index = whole.find_item(sig.source.span(param)[0])
    only_keyword = sig.function.args.kwonlyargs == [param] and sig.function.args.vararg is None
    if only_keyword:  # `*, x` goes together
        if sig.function.args.kwarg is not None:
            raise Refusal(f"{name!r} stands alone behind `*`; take it out with care.", (sig.place,))
        star, own = whole.items[index - 1 : index + 1]
        both = GroupItem(star.start, own.end, own.comma)
        merged = replace(whole, items=(*whole.items[: index - 1], both, *whole.items[index + 1 :]))
        plan.add(sig.source, *merged.remove(index - 1))
        return
    plan.add(sig.source, *whole.remove(index))


def _refuse_impossible_name(sig: Signature, name: str) -> None:
    """A field that is a parameter has a name that Python can give a parameter."""
    if keyword.iskeyword(name):
        why = f"`{name}` is a word of Python itself"
    elif not name.isidentifier():
        why = f"`{name}` is not a name in Python (letters, digits and _, and no digit first)"
    elif is_mangled(name):
        why = f"Python reads `{name}` as another name inside a class"
    else:
        return
    raise Refusal(
        f"{why}, and a field of this input is a parameter of {sig.function.name}: choose another name.", (sig.place,)
    )


def rename_parameter(plan: EditPlan, sig: Signature, name: str, to: str) -> bool:
    """Rename a field's parameter and its uses. False where the method has no such parameter."""
    param = sig.find_parameter(name)
    if param is None:
        return False
    source, function = sig.source, sig.function
    _refuse_impossible_name(sig, to)
    _refuse_decorator_mentions(sig, name)
    uses = scopes.find_uses(function, name)
    doubtful = [*uses.doubtful, *uses.declared, *scopes.find_scope_lookups(function)]
    if doubtful:
        raise Refusal(f"the uses of {name!r} cannot be told with certainty.", source.places(*doubtful))
    clash = [n for s in function.body for n in ast.walk(s) if _is_name_use(n, to)]
    if clash or any(p.arg == to for p in scopes.list_parameters(function.args)):
        raise Refusal(f"the method uses the name {to!r} for something else.", source.places(*clash) or (sig.place,))
    start = source.span(param)[0]
    plan.add(source, Edit(start, start + len(name.encode()), to.encode()))
    labels = fstrings.find_labels(source, function)
    for node in uses.names:
        first, last = source.span(node)
        labelled = [span for span in labels if span[0] <= first < span[1]]
        if source.data[first:last] != name.encode() or labelled not in ([], [(first, last)]):
            raise Refusal(f"the uses of {name!r} cannot be told with certainty.", source.places(node))
        plan.add(source, Edit(first, last, to.encode()))
        if labelled:  # `{qty=}` shows its own text, which is not to change
            plan.add(source, *fstrings.keep_label(source, first, last, labels[first, last]))
    return True


def _refuse_decorator_mentions(sig: Signature, name: str) -> None:
    """Decorators of others may speak of a parameter: `@needs("qty")`, `@require(lambda qty: qty > 0)`."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    others = [
        d
        for d in sig.function.decorator_list
        if not any(is_graphbus_decorator(d, own, sig.source) for own in _GRAPHBUS_DECORATORS)
    ]
    if marked := [d for d in others if word.search(sig.source.text(d))]:
        raise Refusal(f"a decorator speaks of {name!r}.", sig.source.places(*marked))


def _is_name_use(node: ast.AST, name: str) -> bool:
    """Whether a node binds or reads a name, in a scope of its own as well."""
    match node:
        case ast.keyword() | ast.Attribute():
            return False
        case ast.alias(name=imported, asname=asname):
            return (asname or imported.partition(".")[0]) == name
    return name in (*(getattr(node, word, None) for word in ("id", "arg", "name", "rest")), *getattr(node, "names", ()))


def is_mangled(name: str) -> bool:
    """Whether Python gives a name another one inside a class: `__k` becomes `_Cleaner__k`."""
    return name.startswith("__") and not name.endswith("__")


def change_parameter_type(plan: EditPlan, sig: Signature, name: str, before: str, type_text: str) -> None:
    """Follow a new type in the parameter's annotation, where it says the old one."""
    param = sig.find_parameter(name)
    if param is None:
        return
    default_node = sig.find_default(param)
    stands_for_none = isinstance(default_node, ast.Constant) and default_node.value in (None, ...)
    if (
        isinstance(default_node, ast.Constant)
        and not stands_for_none
        and not accepts_constant(type_text, default_node.value)
    ):
        raise Refusal(
            f"{name!r} is {sig.source.text(default_node)} where it is not given, which is not {type_text}.",
            sig.source.places(default_node),
        )
    if param.annotation is None or "{" in type_text:
        return
    if is_same_expression(param.annotation, parse_type(before)):
        plan.replace(sig.source, param.annotation, plan.render_type(sig.source, type_text))
