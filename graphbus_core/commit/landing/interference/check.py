"""The uses that one side added, and what of the definitions behind them the other side changed.

A use sees aspects of a definition: that it is there, how its arguments are bound, which defaults stand in for others,
what shape its result has, which errors it raises. Each is read in the tree of the side that wrote the use and in the
merged tree. What differs was changed by the other side, under a use that it could not know.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graphbus_core.commit.landing.interference.aspects import (
    MAX_CALLS,
    Keeping,
    accepts_calls_of,
    bind_call,
    holds_entries,
    is_kind_of,
    list_attribute_defaults,
    list_defaults,
    list_reached,
    read_body,
    read_decorators,
    read_fields,
    read_keeping,
    read_option,
    read_parameters,
    read_raised,
    read_result,
)
from graphbus_core.commit.landing.interference.circles import check_circles
from graphbus_core.commit.landing.interference.collisions import check_collisions
from graphbus_core.commit.landing.interference.completeness import check_completeness
from graphbus_core.commit.landing.interference.copies import check_copies
from graphbus_core.commit.landing.interference.definitions import Definition, Foreign, Function, Project
from graphbus_core.commit.landing.interference.demands import Demand, find_broken, list_wanted, read_demands
from graphbus_core.commit.landing.interference.families import check_families
from graphbus_core.commit.landing.interference.fields import check_fields
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.commit.landing.interference.identities import check_identities
from graphbus_core.commit.landing.interference.keys import check_names
from graphbus_core.commit.landing.interference.meanings import check_meanings
from graphbus_core.commit.landing.interference.operators import check_operators
from graphbus_core.commit.landing.interference.registries import check_entries, check_folders
from graphbus_core.commit.landing.interference.renames import Renames
from graphbus_core.commit.landing.interference.rests import check_rests
from graphbus_core.commit.landing.interference.uses import (
    Use,
    find_construction,
    find_type,
    is_found_by_name,
    iter_uses,
    resolve,
)
from graphbus_core.editing.scope import is_test_file


@dataclass(frozen=True)
class _Aspect:
    value: object
    definition: Definition | None
    ends: tuple[tuple[str, str], ...] = ()  # of a question: the functions that a test must run to answer it


_CHECKS: tuple[Callable[[Project, Project, Project], Iterator[Interference]], ...] = (
    check_completeness,
    check_copies,
    check_families,
    check_fields,
    check_meanings,
    check_rests,
    check_operators,
    check_folders,
)  # of one side: what it newly counts on, held against the merged tree


def find_interference(
    base: Mapping[str, bytes], ours: Mapping[str, bytes], theirs: Mapping[str, bytes], merged: Mapping[str, bytes]
) -> list[Interference]:
    """What one side relies on since the base and the other side changed. Tests speak for themselves."""
    old = Project(base)
    mine = Project(ours, old)
    other = Project(theirs, old, mine)
    now = Project(merged, old, mine, other)
    found: list[Interference] = []
    for i, side in enumerate((mine, other)):
        for check in (_check_uses, *_CHECKS):
            found += [replace(interference, side=i) for interference in check(old, side, now)]
    found += check_names(old, mine, other, now)
    found += check_entries(old, mine, other, now)
    found += check_identities(old, mine, other, now)
    found += check_collisions(old, mine, other, now)
    found += check_circles(old, mine, other, now)
    return list(dict.fromkeys(found))


def _check_uses(old: Project, side: Project, now: Project) -> Iterator[Interference]:
    renames = Renames(side, now)
    before = [use for path in old.list_changed(side) for use in iter_uses(old, path)]
    known = Counter(use.key for use in before)
    places = {(use.path, use.scope, use.key) for use in before}
    changed = [path for path in side.list_changed(old) if not is_test_file(path)]
    uses = [use for path in changed for use in iter_uses(side, path)]
    counts = Counter(use.key for use in uses)
    standing = {(use.path, use.key): use for path in changed for use in iter_uses(now, path)}
    for use in uses:
        if counts[use.key] <= known[use.key] or (use.path, use.scope, use.key) in places:
            continue
        there = standing.get((use.path, use.key))
        if there is not None:
            yield from _compare(side, renames, use, read_aspects(side, use), read_aspects(now, there))


def _compare(
    side: Project, renames: Renames, use: Use, before: Mapping[str, _Aspect], now: Mapping[str, _Aspect]
) -> Iterator[Interference]:
    computed = [aspects["computed"].value for aspects in (before, now) if "computed" in aspects]
    does_the_same = len(computed) == 2 and renames.is_as_before(*computed)
    for name in (name for name in before if name in now):
        aspect, other = (_select_keeping(use, aspects[name]) for aspects in (before, now))
        if renames.is_as_before(aspect.value, other.value):
            continue
        if (name == "there" or name.startswith("raising ")) and other.value:
            continue  # nothing is lost: what it newly raises is caught
        if name.startswith("import of ") and other.value == "there":
            continue
        if str(aspect.value).startswith("its default") and str(other.value).startswith("its default") and does_the_same:
            continue  # another default, and for this call it comes to the same
        definition = other.definition or aspect.definition
        there = f"{definition.path}:{definition.line}" if definition else ""
        behind = (definition.path, definition.name) if definition else None
        calls = use.function is not None and not isinstance(use.node, Function | ast.ClassDef | ast.ImportFrom)
        if name == "result" and isinstance(aspect.value, frozenset) and isinstance(other.value, frozenset):
            for found in _compare_results(side, use, aspect.value, other.value, there):
                yield replace(found, behind=behind, calls=calls)
            continue
        ends = other.ends or aspect.ends
        if name == "computed" and ends:
            changed = _find_changed(renames, aspect.definition, other.definition)
            if changed is not None:
                there, ends = f"{changed.path}:{changed.line}", ((changed.path, changed.name),)
        if isinstance(aspect.value, Keeping) and isinstance(other.value, Keeping) and definition is not None:
            methods = [m for m in other.value.list_changed(aspect.value) if _is_in(aspect.definition, m)]
            if not methods and not aspect.value.list_changed(other.value):
                continue  # methods came that nobody on its side calls
            methods = methods or list(other.value.methods)[:1]
            ends = tuple((definition.path, method) for method in methods)
        if ends and use.function is not None:
            ends = ((use.path, use.scope), *ends)
        text = _tell(use, name, aspect.value, other.value)
        yield Interference(
            use.path, use.line, use.scope, text, there, ends, -1, behind, name == "value", name == "computed", calls
        )


def _find_changed(renames: Renames, before: Definition | None, now: Definition | None) -> Definition | None:
    """What the other side changed of a function and those that it calls: it stands behind functions that nobody
    touched, and a test that puts something in the place of those does not come to it."""
    if before is None or now is None:
        return None
    known = {(d.path, d.name): read_body(renames.side, d, None, MAX_CALLS) for d in list_reached(renames.side, before)}
    for definition in list_reached(renames.now, now):
        text = known.get((definition.path, definition.name))
        if text is not None and not renames.is_as_before(text, read_body(renames.now, definition, None, MAX_CALLS)):
            return definition
    return None


def _is_in(definition: Definition | None, method: str) -> bool:
    """Whether the class of an attribute has a method."""
    body = definition.owner.body if definition is not None and definition.owner is not None else []
    return any(isinstance(node, Function) and node.name == method.rpartition(".")[2] for node in body)


def _compare_results(
    side: Project, use: Use, before: frozenset[str], now: frozenset[str], there: str
) -> Iterator[Interference]:
    """A result of another shape, where the use asks for what it does not give any more."""
    if isinstance(use.node, Function):  # a method that stands in for it, and gives what it gave
        if not any(shape.startswith("?") for shape in before ^ now):
            yield Interference(use.path, use.line, use.scope, _tell(use, "result", before, now), there)
        return
    demand = find_broken(before, now, _read_demands(side, use))
    if demand is not None:
        text = f"{_tell(use, 'result', before, now)}; it {demand}"
        yield Interference(use.path, demand.line or use.line, use.scope, text, there)


def _read_demands(side: Project, use: Use) -> frozenset[Demand]:
    return read_demands(use.node, use.function or side.modules[use.path].tree)


def _tell(use: Use, name: str, before: object, now: object) -> str:
    node = use.node
    text = ast.unparse(node.func if isinstance(node, ast.Call) else node).split("\n")[0][:80]
    if isinstance(before, frozenset) and isinstance(now, frozenset):
        before, now = (", ".join(sorted(s.removeprefix("? ") for s in v)) for v in (before, now))
    match name:
        case "there":
            return f"{text}: what it names was there on its side and is gone"
        case "computed":
            return f"{text}: the other side changed what it does"
        case "kept":
            return f"{text}: the other side changed how its class fills and reads it"
    return f"{text}: {name} was {_shorten(before)} on its side and is {_shorten(now)}"


def _shorten(value: object) -> str:
    return str(value)[:120]


def read_aspects(project: Project, use: Use) -> dict[str, _Aspect]:
    """What a use sees of what it means, aspect by aspect."""
    match use.node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return _read_override(project, use)
        case ast.ClassDef():
            return _read_duties(project, use)
        case ast.ImportFrom():
            return dict(_read_imported(project, use.path, use.node))
    meaning = resolve(project, use)
    if isinstance(meaning, Foreign):
        return {}
    aspects = {"there": _Aspect(meaning is not None, meaning)}
    if meaning is None:
        return aspects
    node = meaning.node
    if meaning.owner is not None and is_found_by_name(project, use):
        aspects["owner"] = _Aspect(meaning.owner.name, meaning)
    if isinstance(node, Function):
        aspects |= _read_function(project, use, meaning)
    elif isinstance(node, ast.ClassDef):
        aspects |= _read_construction(project, use, meaning)
    elif meaning.owner is not None:
        aspects["kept"] = _read_keeping(meaning)
    elif isinstance(node, ast.Assign | ast.AnnAssign) and not use.is_called:
        aspects |= _read_value(use, meaning)
    return aspects


def _read_keeping(definition: Definition) -> _Aspect:
    assert definition.owner is not None
    return _Aspect(read_keeping(definition.owner, definition.name.rpartition(".")[2]), definition)


def _select_keeping(use: Use, aspect: _Aspect) -> _Aspect:
    """Of how a class keeps an attribute, what matters: how it is filled, for who reads it; how it is read, for who
    fills it."""
    if not isinstance(aspect.value, Keeping) or aspect.definition is None:
        return aspect
    stores = isinstance(getattr(use.node, "ctx", None), ast.Store)
    if use.is_filled and (stores or holds_entries(aspect.definition.node)):
        return aspect
    return _Aspect(Keeping(aspect.value.fills, Counter(), aspect.value.methods), aspect.definition)


def _read_imported(project: Project, path: str, node: ast.ImportFrom) -> Iterator[tuple[str, _Aspect]]:
    for alias in node.names:
        if alias.name != "*":
            meaning = project.find_imported(path, node.level, node.module or "", alias.name)
            definition = meaning if isinstance(meaning, Definition) else None
            yield f"import of {alias.name}", _Aspect("gone" if meaning is None else "there", definition)


def _read_function(project: Project, use: Use, definition: Definition) -> dict[str, _Aspect]:
    node = definition.node
    assert isinstance(node, Function)
    form = "async" if isinstance(node, ast.AsyncFunctionDef) else "plain"
    form += "".join(f" {d}" for d in sorted(read_decorators(node) & {"property", "cached_property", "contextmanager"}))
    out = {"kind": _Aspect(form, definition)}
    wanted = list_wanted(_read_demands(project, use)) if isinstance(use.node, ast.Call) else None
    ends = ((definition.path, definition.name),)
    parameters = read_parameters(definition)
    bound = bind_call(use.node, parameters or []) if isinstance(use.node, ast.Call) else None
    constants = list_defaults(use.node, parameters or []) if isinstance(use.node, ast.Call) else {}
    known = constants | _list_receiver_defaults(project, use)
    out["computed"] = _Aspect(read_body(project, definition, wanted, 0, known, bound), definition, ends)
    if not use.is_called and "property" not in form:
        return out  # handed on: who calls it, and how, is not told here
    if parameters is not None and isinstance(use.node, ast.Call):
        out |= _read_binding(project, use, use.node, parameters, definition)
    for error in use.caught:
        if error not in ("Exception", "BaseException"):
            raised = any(is_kind_of(project, r, error) for r in read_raised(project, definition))
            out[f"raising {error}"] = _Aspect(raised, definition)
    if use.is_read or use.is_awaited:
        out["result"] = _Aspect(read_result(node), definition)
    return out


def _list_receiver_defaults(project: Project, use: Use) -> dict[str, ast.Constant]:
    """What is known of the attributes of an object that is made where its method is called: those left at defaults."""
    receiver = (
        use.node.func.value if isinstance(use.node, ast.Call) and isinstance(use.node.func, ast.Attribute) else None
    )
    made = find_construction(use, receiver)
    owner = find_type(project, use, made) if made is not None else None
    constructor = project.find_member(owner, "__init__") if owner is not None else None
    if made is None or owner is None or not isinstance(constructor, Definition):
        return {}
    if not isinstance(constructor.node, Function) or not isinstance(owner.node, ast.ClassDef):
        return {}
    defaults = list_defaults(made, read_parameters(constructor) or [])
    return list_attribute_defaults(owner.node, constructor.node, defaults)


def _read_binding(
    project: Project,
    use: Use,
    call: ast.Call,
    parameters: Sequence[tuple[str, str, ast.expr | None]],
    definition: Definition,
) -> dict[str, _Aspect]:
    """How the arguments of a call are bound; of names in a table that is handed over with `**`, that they are taken."""
    spread = [keyword.value for keyword in call.keywords if keyword.arg is None]
    if spread:
        taken = {name for name, kind, _ in parameters if kind in ("plain", "keyword")}
        is_open = any(kind == "rest by name" for _, kind, _ in parameters)
        names = {name for value in spread for name in project.find_keys(use.path, value)}
        return {f"name {name} in **": _Aspect(is_open or name in taken, definition) for name in sorted(names)}
    bound = bind_call(call, parameters)
    out = {"call": _Aspect("not accepted" if bound is None else "accepted", definition)}
    if any(kind == "rest by name" for _, kind, _ in parameters):
        for keyword in call.keywords:
            if keyword.arg and keyword.arg not in (bound or {}):
                out[f"option {keyword.arg}"] = _Aspect(read_option(project, definition, keyword.arg), definition)
    return out | {f"parameter {name}": _Aspect(how, definition) for name, how in (bound or {}).items()}


def _read_construction(project: Project, use: Use, definition: Definition) -> dict[str, _Aspect]:
    owner = definition.node
    if not isinstance(use.node, ast.Call) or not isinstance(owner, ast.ClassDef):
        return {}
    constructor = project.find_member(definition, "__init__")
    out: dict[str, _Aspect] = {}
    parameters = None
    if isinstance(constructor, Definition):
        parameters = read_parameters(constructor)
        ends = ((constructor.path, constructor.name),)
        constants = list_defaults(use.node, parameters or [])
        bound = bind_call(use.node, parameters or [])
        out["computed"] = _Aspect(read_body(project, constructor, None, 0, constants, bound), constructor, ends)
    elif owner.decorator_list or owner.bases:
        parameters = read_fields(owner) or None
    if parameters is not None:
        out |= _read_binding(project, use, use.node, parameters, definition)
    return out


def _read_value(use: Use, definition: Definition) -> dict[str, _Aspect]:
    """What a constant is; of one that is not a literal, nothing."""
    value = getattr(definition.node, "value", None)
    try:
        return {"value": _Aspect(repr(ast.literal_eval(value)), definition)} if value is not None else {}
    except (ValueError, TypeError, SyntaxError):
        return {}


def _read_override(project: Project, use: Use) -> dict[str, _Aspect]:
    """Which method of a base a method stands in for, and what that one promises."""
    assert isinstance(use.node, Function)
    if use.owner is None or not use.owner.bases:
        return {}
    owner = Definition(use.path, use.owner.name, use.owner)
    name = use.node.name
    meaning = project.find_member(owner, name, inherited=True)
    if isinstance(meaning, Foreign) or (name.startswith("__") and name.endswith("__")):
        return {}
    if meaning is None or not isinstance(meaning.node, Function):
        return {"overridden method": _Aspect("none" if meaning is None else "no method", meaning)}
    return {
        "overridden method": _Aspect("there", meaning),
        "being called as it": _Aspect(
            "accepted" if accepts_calls_of(use.node, read_parameters(meaning) or []) else "not accepted", meaning
        ),
        "its kind": _Aspect(type(meaning.node).__name__, meaning),
        "result": _Aspect(read_result(meaning.node), meaning),
    }


def _read_duties(project: Project, use: Use) -> dict[str, _Aspect]:
    """The methods that the bases of a class ask for and that it does not have."""
    assert isinstance(use.node, ast.ClassDef)
    owner = Definition(use.path, use.node.name, use.node)
    open_names: set[str] = set()
    giver: Definition | None = None
    waiting = [project.find_class(use.path, base) for base in use.node.bases]
    while waiting:
        base = waiting.pop()
        if base is None or not isinstance(base.node, ast.ClassDef):
            continue
        waiting += [project.find_class(base.path, b) for b in base.node.bases]
        for method in base.node.body:
            if isinstance(method, Function) and is_abstract(method):
                standing = project.find_member(owner, method.name)
                if isinstance(standing, Definition) and standing.node is method:
                    open_names.add(method.name)
                    giver = Definition(base.path, f"{base.name}.{method.name}", method, base.node)
    return {"what its bases leave to it": _Aspect(tuple(sorted(open_names)), giver)}


def is_abstract(method: Function) -> bool:
    """Whether a method says that somebody else must write it."""
    if "abstractmethod" in read_decorators(method):
        return True
    last = method.body[-1]
    return isinstance(last, ast.Raise) and last.exc is not None and "NotImplementedError" in ast.unparse(last.exc)
