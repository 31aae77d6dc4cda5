"""New code that asks with an operator what a class answers with a method: `a == b`, `basket or other`, `not basket`.

Every object is true until its class says otherwise. So a class that gains a length changes what each question for the
truth of its objects means, and no name stands there that could be looked up. An equality that a class gains does not
count: who must tell its objects apart asks with `is`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from graphbus_core.commit.landing.interference.aspects import read_body
from graphbus_core.commit.landing.interference.definitions import Definition, Foreign, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.commit.landing.interference.uses import Use, find_type, iter_uses
from graphbus_core.editing.scope import is_test_file

# The methods that answer a question: the first of them that a class has.
TRUTH, EQUALITY = ("__bool__", "__len__"), ("__eq__",)
CONTENT, WALK, LENGTH, ITEM = ("__contains__", "__iter__"), ("__iter__",), ("__len__",), ("__getitem__",)
HASH = ("__hash__",)
_Asked = tuple[tuple[str, ...], ast.expr]  # the methods that answer, and the whole question
_WALKS = frozenset({"sum", "sorted", "list", "set", "tuple", "min", "max", "any", "all", "enumerate", "iter", "dict"})


def check_operators(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    """Questions that a side newly asks of objects of a class, which the other side made to answer otherwise."""
    for path in side.list_changed(old):
        if is_test_file(path) or path not in now.modules:
            continue
        known, standing = (_list_questions(project, path).keys() for project in (old, now))
        for key, (use, methods, question) in _list_questions(side, path).items():
            owner = _find_class(side, use) if key in standing - known else None
            later = now.find_class(owner.path, ast.Name(owner.name)) if owner is not None else None
            if owner is not None and later is not None:
                yield from _compare(side, now, use, question, (owner, later), methods)


def _list_questions(
    project: Project, path: str
) -> dict[tuple[str, str, object], tuple[Use, tuple[str, ...], ast.expr]]:
    """The questions of a file, by function and text."""
    questions: dict[tuple[str, str, object], tuple[Use, tuple[str, ...], ast.expr]] = {}
    module = project.modules.get(path)
    by_node: dict[int, list[_Asked]] = {}
    for node, question in _iter_asked(module.tree) if module else ():
        by_node.setdefault(id(node), []).append(question)
    for use in iter_uses(project, path) if by_node else ():
        for methods, whole in by_node.get(id(use.node), ()):
            questions[use.scope, ast.dump(whole), (methods, ast.dump(use.node))] = use, methods, whole
    return questions


def _compare(
    side: Project,
    now: Project,
    use: Use,
    question: ast.expr,
    owners: tuple[Definition, Definition],
    methods: tuple[str, ...],
) -> Iterator[Interference]:
    before, later = _find_answer(side, owners[0], methods), _find_answer(now, owners[1], methods)
    if isinstance(before, Foreign) or isinstance(later, Foreign):
        return
    had, has = (method.name.rpartition(".")[2] if method else "" for method in (before, later))
    text = f"{ast.unparse(question)[:80]}: of {owners[0].name}"
    answer = later or before
    if answer is None:
        return
    there, calls = f"{answer.path}:{answer.line}", use.function is not None
    if had != has and (had or methods is not EQUALITY):  # a new equality is what who asks for one had wanted
        what = f"the other side gave it {has}" if has else f"the other side took its {had}"
        what += " without a __hash__" if methods is HASH and has else ""
        behind = (answer.path, answer.name)
        yield Interference(use.path, use.line, use.scope, f"{text}, {what}", there, behind=behind, calls=calls)
    elif before and later and read_body(side, before) != read_body(now, later):
        end = (later.path, later.name)
        what = f"{text}, the other side changed what its {has} does"
        ends = ((use.path, use.scope), end) if calls else ()
        question_to_tests = Interference(use.path, use.line, use.scope, what, there, ends, behind=end, calls=calls)
        yield replace(question_to_tests, is_computed=calls)


def _find_answer(project: Project, owner: Definition, methods: tuple[str, ...]) -> Definition | Foreign | None:
    """The method of a class that answers; None where it is as for any object. A class that has an equality and no hash
    beside it has none at all: of that one, the equality."""
    if methods is HASH:
        equality, hashing = (project.find_member(owner, name) for name in ("__eq__", "__hash__"))
        is_beside = isinstance(hashing, Definition) and hashing.owner is getattr(equality, "owner", None)
        return None if is_beside else equality
    for name in methods:
        meaning = project.find_member(owner, name)
        if meaning is not None:
            return meaning
    return None


def _iter_asked(tree: ast.AST) -> Iterator[tuple[ast.expr, _Asked]]:
    """The values that are asked something, each with the whole question."""
    for node in ast.walk(tree):
        match node:
            case ast.BoolOp(values=values):
                yield from ((value, (TRUTH, node)) for value in values[:-1])
            case ast.UnaryOp(op=ast.Not(), operand=value) | ast.Call(func=ast.Name(id="bool"), args=[value]):
                yield value, (TRUTH, node)
            case ast.If(test=value) | ast.While(test=value) | ast.IfExp(test=value) | ast.Assert(test=value):
                yield value, (TRUTH, value)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                yield from ((value, (EQUALITY, node)) for value in (left, right))
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()], comparators=[right]):
                yield from ((left, (EQUALITY, node)), (right, (CONTENT, node)))
            case ast.comprehension(iter=value, ifs=values):
                yield from ((value, (TRUTH, value)) for value in values)
                yield value, (WALK, value)
            case ast.For(iter=value) | ast.AsyncFor(iter=value) | ast.Starred(value=value):
                yield value, (WALK, value)
            case ast.Call(func=ast.Name(id=name), args=[value, *_]) if name in _WALKS or name == "len":
                yield value, (LENGTH if name == "len" else WALK, node)
            case ast.Subscript(value=value, slice=key):
                yield from ((value, (ITEM, node)), (key, (HASH, node)))
            case ast.SetComp(elt=key) | ast.DictComp(key=key) | ast.Call(func=ast.Attribute(attr="add"), args=[key]):
                yield key, (HASH, key)
            case ast.Set(elts=keys) | ast.Dict(keys=keys):
                yield from ((key, (HASH, key)) for key in keys if key is not None)
            case ast.withitem(context_expr=value):
                yield from ((value, ((method,), value)) for method in ("__enter__", "__exit__"))


def _find_class(project: Project, use: Use) -> Definition | None:
    """The class of a value: as the text tells, as its name at the top of a file is given, or as it is named after."""
    node = use.node
    if isinstance(node, ast.Name):
        meaning = project.find_name(use.path, node.id)
        if isinstance(meaning, Definition):
            value = getattr(meaning.node, "value", None)
            return project.find_class(meaning.path, value.func) if isinstance(value, ast.Call) else None
        namesakes = project.classes.get(node.id.replace("_", "").lower(), [])
        return find_type(project, use, node) or (namesakes[0] if len(namesakes) == 1 else None)
    return find_type(project, use, node)
