"""FastAPI and Starlette: what a dependency gives, the model that a route takes as its body, and who requests a route.

A request is a call of a test client, httpx or requests anywhere in the repository. It meets the routes of its method
whose path its own path ends with; a part in braces meets any. A router's own prefix and that of `include_router` stand
before.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphbus_core.inference.frameworks.interface import Edge, ProjectSource, Unread
from graphbus_core.inference.source import FunctionNode
from graphbus_core.syntax import list_parameters

METHODS = {"get", "post", "put", "delete", "patch", "options", "head"}
ROUTES = {*METHODS, "websocket", "api_route", "route"}
DEPENDS = ("Depends", "Security")
CLIENTS = re.compile(r"client|session|requests|httpx|http|api", re.I)
SURE_CLIENTS = re.compile(r"client|^requests$|^httpx$", re.I)  # `session.get(Row, key)` is a database's
Found = tuple[str, str]


@dataclass(frozen=True)
class _Route:
    method: str
    parts: tuple[str, ...]  # "*" for a part in braces
    found: Found
    line: int
    label: str  # the name by which `url_path_for` finds it


class FastAPIReader:
    """Reads routes, `Depends`, bodies and requests."""

    packages = ("fastapi", "starlette")

    def read(self, source: ProjectSource) -> Iterator[Edge | Unread]:
        """The edges of each route and dependency; then the requests that meet a route."""
        routes: list[_Route] = []
        prefixes = _find_prefixes(source)
        for path in source.paths:
            if not source.mentions(path, *DEPENDS, *(f".{word}(" for word in ROUTES)):
                continue
            for name, function in source.list_functions(path):
                mine = (
                    list(_find_routes(source, path, name, function, prefixes))
                    if source.imports(path, *self.packages)
                    else []
                )
                routes += mine
                yield from self._read_parameters(source, path, name, function, mine)
            yield from self._read_lists(source, path)
        for path in source.paths:
            yield from self._read_requests(source, path, routes)

    # ---- dependencies and bodies

    def _read_parameters(
        self, source: ProjectSource, path: str, name: str, function: FunctionNode, routes: list[_Route]
    ) -> Iterator[Edge | Unread]:
        consumer = source.name(path, name)
        for argument, _, default in list_parameters(function.args):
            depends = _find_depends(source, path, argument, default)
            place = f"{path}:{argument.lineno}"
            if depends is not None:
                where, call = depends
                target = call.args[0] if call.args else _get_keyword(call, "dependency") or _get_type(argument)
                yield self._read_dependency(source, where, target, consumer, argument.arg, place)
            elif routes and (model := _get_type(argument)) is not None:
                found = source.resolve(path, model)
                if source.is_model(found):
                    producer = f"{routes[0].method.upper()} /{'/'.join(routes[0].parts)}"
                    yield Edge("body", producer, consumer, f"{argument.arg}: {ast.unparse(model)}", (place,))

    def _read_dependency(
        self, source: ProjectSource, path: str, target: ast.expr | None, consumer: str, carries: str, place: str
    ) -> Edge | Unread:
        # `Depends(make(…))`: what is called is made by `make`, which stands for it.
        named = target.func if isinstance(target, ast.Call) else target
        found = source.resolve(path, named) if named is not None else None
        function = source.find_function(found)
        if found is not None and (function is not None or source.is_class(found)):
            line = [f"{found[0]}:{function.lineno}"] if function is not None else []
            return Edge("dependency", source.name(*found), consumer, carries, (place, *line))
        made = source.find_value(found)
        if found is not None and made is not None:
            return Edge("dependency", source.name(*found), consumer, carries, (place, f"{found[0]}:{made.lineno}"))
        if named is not None and source.find_library_name(path, named):
            return Unread("a dependency of a library", place)
        return Unread("a dependency that is computed", place)

    def _read_lists(self, source: ProjectSource, path: str) -> Iterator[Edge | Unread]:
        """`dependencies=[Depends(…)]` of a route, a router or an app: it decides whether what stands there runs."""
        owners = {
            id(decorator): source.name(path, name)
            for name, function in source.list_functions(path)
            for decorator in function.decorator_list
        }
        for node in ast.walk(source.parse(path) or ast.Module([], [])):
            listed = _get_keyword(node, "dependencies") if isinstance(node, ast.Call) else None
            for call in listed.elts if isinstance(listed, ast.List | ast.Tuple) else ():
                if isinstance(call, ast.Call) and _is_depends(call):
                    consumer = owners.get(id(node)) or source.name(path, source.find_around(path, node))
                    target = call.args[0] if call.args else None
                    yield self._read_dependency(source, path, target, consumer, "", f"{path}:{call.lineno}")

    # ---- requests

    def _read_requests(self, source: ProjectSource, path: str, routes: list[_Route]) -> Iterator[Edge | Unread]:
        if not routes or not source.mentions(path, *(f".{word}(" for word in METHODS), ".request("):
            return
        for node in ast.walk(source.parse(path) or ast.Module([], [])):
            match node:
                case ast.Call(func=ast.Attribute(value=client, attr=attr), args=[url, *_]) if attr in METHODS:
                    if CLIENTS.search(ast.unparse(client)):
                        yield from self._match(source, path, node, attr, url, routes)
                case ast.Call(func=ast.Attribute(attr="request"), args=[ast.Constant(value=str() as method), url, *_]):
                    yield from self._match(source, path, node, method.lower(), url, routes)

    def _match(
        self, source: ProjectSource, path: str, call: ast.Call, method: str, url: ast.expr, routes: list[_Route]
    ) -> Iterator[Edge | Unread]:
        place = f"{path}:{call.lineno}"
        label = _find_label(url)
        parts = () if label else _split_url(url)
        if parts is None:
            assert isinstance(call.func, ast.Attribute)
            if SURE_CLIENTS.search(ast.unparse(call.func.value)):
                yield Unread("a request whose address is computed", place)
            return
        met = [r for r in routes if r.method in (method, "api_route", "route") and _meets(r, label, parts)]
        # The longest route wins, and of two the one with more words: a short one meets the end of nearly every address.
        best = max((_rank(route) for route in met), default=(0, 0))
        for route in (route for route in met if label or _rank(route) == best):
            carried = _get_keyword(call, "json") or _get_keyword(call, "data")
            keys = (
                [k.value for k in carried.keys if isinstance(k, ast.Constant)] if isinstance(carried, ast.Dict) else []
            )
            producer = source.name(path, source.find_around(path, call))
            places = (place, f"{route.found[0]}:{route.line}")
            yield Edge("request", producer, source.name(*route.found), ", ".join(map(str, keys)), places)
        if not met and (label or _is_local(url)):
            yield Unread("a request that meets no route", place)


def _find_prefixes(source: ProjectSource) -> dict[Found, tuple[str, ...]]:
    """Router -> what `include_router` puts before its routes."""
    prefixes: dict[Found, tuple[str, ...]] = {}
    for path in source.paths:
        if source.mentions(path, "include_router"):
            for node in ast.walk(source.parse(path) or ast.Module([], [])):
                match node:
                    case ast.Call(func=ast.Attribute(attr="include_router"), args=[router, *_]):
                        found, prefix = source.resolve(path, router), _get_keyword(node, "prefix")
                        if found is not None and isinstance(prefix, ast.Constant):
                            prefixes[found] = _split_path(str(prefix.value))
    return prefixes


def _find_routes(
    source: ProjectSource, path: str, name: str, function: FunctionNode, prefixes: dict[Found, tuple[str, ...]]
) -> Iterator[_Route]:
    for decorator in function.decorator_list:
        match decorator:
            case ast.Call(func=ast.Attribute(value=router, attr=attr), args=args) if attr in ROUTES:
                address = args[0] if args else _get_keyword(decorator, "path")
                label = _get_keyword(decorator, "name")
                if isinstance(address, ast.Constant) and isinstance(address.value, str):
                    found = source.resolve(path, router)
                    made = source.find_value(found)
                    own = _get_keyword(made, "prefix") if isinstance(made, ast.Call) else None
                    before = prefixes.get(found, ()) if found is not None else ()
                    before += _split_path(str(own.value)) if isinstance(own, ast.Constant) else ()
                    named = str(label.value) if isinstance(label, ast.Constant) else function.name
                    yield _Route(attr, (*before, *_split_path(address.value)), (path, name), function.lineno, named)


def _find_depends(
    source: ProjectSource, path: str, argument: ast.arg, default: ast.expr | None
) -> tuple[str, ast.Call] | None:
    """The `Depends(…)` of a parameter and the file it stands in: the default, or in `Annotated`, by name too."""
    if isinstance(default, ast.Call) and _is_depends(default):
        return path, default
    annotation: ast.expr | None = argument.annotation
    where = path
    if isinstance(annotation, ast.Name | ast.Attribute):
        found = source.resolve(path, annotation)
        annotation = source.find_value(found)
        where = found[0] if found is not None else path
    match annotation:
        case ast.Subscript(
            value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"), slice=ast.Tuple(elts=parts)
        ):
            for part in parts[1:]:
                if isinstance(part, ast.Call) and _is_depends(part):
                    return where, part
    return None


def _is_depends(call: ast.Call) -> bool:
    return getattr(call.func, "id", getattr(call.func, "attr", "")) in DEPENDS


def _get_type(argument: ast.arg) -> ast.expr | None:
    """The type of a parameter, without `Annotated` and `Optional` around it."""
    annotation = argument.annotation
    while isinstance(annotation, ast.Subscript):
        inner = annotation.slice
        if getattr(annotation.value, "id", getattr(annotation.value, "attr", "")) not in (
            "Annotated",
            "Optional",
            "list",
        ):
            return None
        annotation = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
    return annotation if isinstance(annotation, ast.Name | ast.Attribute) else None


def _get_keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _find_label(url: ast.expr) -> str:
    """The route's name in `app.url_path_for("name")`."""
    match url:
        case ast.Call(
            func=ast.Attribute(attr="url_path_for" | "url_for"), args=[*_, ast.Constant(value=str() as label)]
        ):
            return label
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return _find_label(inner)
    return ""


def _split_path(text: str) -> tuple[str, ...]:
    return tuple("*" if "{" in part else part for part in text.partition("?")[0].strip("/").split("/") if part)


def _split_url(url: ast.expr) -> tuple[str, ...] | None:
    """The parts of an address, what is filled in as `*`; None where it is computed."""
    match url:
        case ast.Constant(value=str() as text):
            return _split_path(re.sub(r"^https?://[^/]*", "", text).replace("{", "").replace("}", ""))
        case ast.JoinedStr(values=values):
            text = "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in values)
            return _split_path(re.sub(r"^https?://[^/]*", "", text))
    return None


def _is_local(url: ast.expr) -> bool:
    """Whether an address has no host of its own."""
    first = url.values[0] if isinstance(url, ast.JoinedStr) and url.values else url
    return isinstance(first, ast.Constant) and str(first.value).startswith("/")


def _meets(route: _Route, label: str, parts: tuple[str, ...]) -> bool:
    if label:
        return route.label == label
    if not route.parts or len(route.parts) > len(parts):
        return not route.parts and not parts
    tail = parts[-len(route.parts) :]
    # What is filled in by the caller is a value, and meets a part in braces alone.
    return all(mine in ("*", other) for mine, other in zip(route.parts, tail, strict=True))


def _rank(route: _Route) -> tuple[int, int]:
    return len(route.parts), sum(part != "*" for part in route.parts)
