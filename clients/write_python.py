"""The Python client: one file, the standard library alone, a TypedDict for every body."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from clients.reading import Api, Field, Operation, Type

PLAIN = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "json": "Any",
    "object": "dict[str, Any]",
}
HEAD = '''"""A client of {title} {version}, generated from its OpenAPI document by `python -m clients`. Do not edit."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any, Literal, NotRequired, TypedDict
from urllib.parse import quote, urlencode
'''
CLIENT = '''

class Refused(Exception):
    """The server refused: problem details (RFC 9457)."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem["detail"])
        self.problem = problem


class GraphBus:
    """Every call. `address` is where the server is, as `http://127.0.0.1:8420`."""

    def __init__(self, address: str, token: str, timeout_s: float = 60.0) -> None:
        self.address, self.token, self.timeout_s = address.rstrip("/"), token, timeout_s

    def _send(self, method: str, path: str, query: dict[str, Any], body: Any = None) -> Any:
        said = urlencode({{name: value for name, value in query.items() if value is not None}})
        request = urllib.request.Request(
            f"{{self.address}}{base}{{path}}{{'?' + said if said else ''}}",
            data=None if body is None else json.dumps(body).encode(),
            headers={{"Authorization": f"Bearer {{self.token}}", "Content-Type": "application/json"}},
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=self.timeout_s) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as e:
            raise Refused(json.load(e)) from None
'''


def write(api: Api) -> str:
    """The whole file."""
    parts = [HEAD.format(title=api.title, version=api.version)]
    for model in api.models:
        parts.append(f"\n\nclass {model.name}(TypedDict):")
        parts.append(f'    """{_doc(model.says or model.name)}"""\n')
        parts.extend(f"    {one.name}: {_held(one)}" for one in model.fields)
    parts.append(CLIENT.format(base=api.base))
    for operation in api.operations:
        parts.extend(_operation(operation))
    return "\n".join(parts).rstrip() + "\n"


def spelled(kind: Type) -> str:
    """A type as Python has it."""
    match kind.kind:
        case "list":
            text = f"list[{spelled(kind.of[0])}]"
        case "map":
            text = f"dict[str, {spelled(kind.of[0])}]"
        case "ref":
            text = kind.name
        case "words":
            text = f"Literal[{', '.join(map(repr, kind.words))}]"
        case "union":
            text = " | ".join(spelled(one) for one in kind.of)
        case plain:
            text = PLAIN[plain]
    return f"{text} | None" if kind.nullable and text != "Any" else text


def _held(one: Field) -> str:
    return spelled(one.type) if one.required else f"NotRequired[{spelled(one.type)}]"


def _operation(one: Operation) -> Iterator[str]:
    takes = [f"{_arg(field.name)}: {spelled(field.type)}" for field in one.in_path]
    if one.body is not None:
        takes.append(f"body: {spelled(one.body)}{'' if one.body_required else ' | None = None'}")
    takes += [f"{_arg(field.name)}: {_maybe(field.type)} = None" for field in one.in_query]
    path = re.sub(r"\{(\w+)\}", lambda m: f"{{quote({_arg(m[1])}, safe='')}}", one.path)
    query = ", ".join(f'"{field.name}": {_arg(field.name)}' for field in one.in_query)
    given = [f'"{one.method}"', f'{"f" if one.in_path else ""}"{path}"', f"{{{query}}}"]
    if one.body is not None:
        given.append("body" if one.body_required else "body or {}")
    name = re.sub(r"(?<!^)([A-Z])", r"_\1", one.id).lower()
    yield f"\n    def {name}({', '.join(['self', *takes])}) -> {spelled(one.result)}:"
    yield f'        """{_doc(one.says)}"""'
    yield f"        return self._send({', '.join(given)})  # type: ignore[no-any-return]"


def _maybe(kind: Type) -> str:
    text = spelled(kind)
    return text if text.endswith("| None") else f"{text} | None"


def _arg(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _doc(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")
