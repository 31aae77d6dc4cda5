"""Run as a script in a child process: imports modules and says what their node classes declare, as JSON.

It is given a question in a file and answers in another; whatever the project prints goes to stderr. It is never
imported by the parent, and the parent imports none of the project's code.
"""

from __future__ import annotations

import json
import sys
import traceback
from typing import Any


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as f:
        question = json.load(f)
    sys.path[:] = question["path"]
    sys.dont_write_bytecode = True
    answer_file = question["answer"]
    sys.stdout = sys.stderr
    answers: dict[str, Any] = {}
    for name, classes in question["modules"].items():
        answers[name] = _describe_module(name, classes)
    with open(answer_file, "w", encoding="utf-8") as f:
        json.dump(answers, f)


def _describe_module(name: str, classes: list[str]) -> dict[str, Any]:
    from importlib import import_module

    try:
        module = import_module(name)
    except BaseException as e:  # whatever the project raises is an answer
        lines = traceback.extract_tb(e.__traceback__)
        last_frame = next((line for line in reversed(lines) if "importlib" not in line.filename), None)
        where = f" ({last_frame.filename}:{last_frame.lineno})" if last_frame else ""
        return {"error": f"{type(e).__name__}: {e}{where}"}
    return {"classes": {qualified: _describe_class(module, qualified) for qualified in classes}}


def _describe_class(module: Any, qualified: str) -> dict[str, Any] | None:
    from graphbus_core import GraphBusNode

    node_class: Any = module
    for part in qualified.split("."):
        node_class = getattr(node_class, part, None)
    if not isinstance(node_class, type) or not issubclass(node_class, GraphBusNode):
        return None
    try:
        return _describe_declarations(node_class, vars(sys.modules[node_class.__module__]))
    except Exception as e:
        return {"error": f"{type(e).__name__}: {e}"}


def _describe_declarations(cls: Any, names: dict[str, Any]) -> dict[str, Any]:
    from graphbus_core import GraphBusNode, decorators, type_hints

    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base is not object and base is not GraphBusNode:
            members.update(vars(base))
    methods: dict[str, Any] = {}
    subscriptions: list[list[str]] = []
    publications: list[list[Any]] = []
    listed = cls.SUBSCRIBE
    pairs = listed.items() if isinstance(listed, dict) else ((topic, "handle_event") for topic in listed)
    subscriptions += [[str(topic), str(handler)] for topic, handler in pairs]
    publications += [
        [t, _describe_contract(p, names, "output"), None] for t, p in vars(cls).get(decorators.PUBLICATIONS, ())
    ]
    for name, member in members.items():
        function = getattr(member, "__func__", member)
        declaring = function if hasattr(function, decorators.SCHEMA) else _find_inherited(cls, name, function)
        subscriptions += [[topic, name] for topic in getattr(function, decorators.SUBSCRIPTIONS, ())]
        publications += [
            [t, _describe_contract(p, names, "output"), name] for t, p in getattr(function, decorators.PUBLICATIONS, ())
        ]
        needs = list(getattr(function, decorators.DEPENDS_ON, ()) or ()) if callable(function) else []
        is_handler = name in {handler for _, handler in subscriptions} and callable(function)
        if declaring is None and is_handler and type_hints.read_payload(function, type_hints.is_bound(cls, name))[0]:
            declaring = function
        if declaring is not None or needs:
            methods[name] = _describe_method(cls, name, function, declaring, needs, names, is_handler)
    prompt = cls.SYSTEM_PROMPT
    return {
        "methods": methods,
        "subscriptions": subscriptions,
        "publications": publications,
        "depends_on": list(getattr(cls, decorators.DEPENDS_ON, ())),
        "prompt": {
            "text": str(getattr(prompt, "text", prompt)),
            "role": getattr(prompt, "role", None),
            "capabilities": list(getattr(prompt, "capabilities", None) or ()),
        },
        "is_arbiter": cls.IS_ARBITER is True,
        "model": cls.MODEL if isinstance(cls.MODEL, str) else None,
        "abstract": sorted(getattr(cls, "__abstractmethods__", ())),
        "line": getattr(getattr(cls, "__dict__", {}), "get", lambda *_: None)("__firstlineno__"),
    }


def _find_inherited(cls: Any, name: str, override: Any) -> Any:
    """What a base declares of a method that is overridden without a decorator, if it is called in the same way."""
    from graphbus_core import decorators

    for base in cls.__mro__[1:]:
        member = vars(base).get(name)
        above = getattr(member, "__func__", member)
        if hasattr(above, decorators.SCHEMA):
            return above if _is_called_alike(above, override) else None
    return None


def _is_called_alike(base: Any, override: Any) -> bool:
    """Whether every call by name that fits `base` fits `override`; `extractor.called_otherwise` for live functions."""
    import inspect

    try:
        old, new = (list(inspect.signature(function).parameters.values())[1:] for function in (base, override))
    except (TypeError, ValueError):
        return True
    keyword_kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    old_names, new_names = ({p.name for p in some if p.kind in keyword_kinds} for some in (old, new))
    needed = {p.name for p in new if p.kind.value <= 3 and p.kind.value != 2 and p.default is p.empty}
    return (old_names <= new_names or any(p.kind is p.VAR_KEYWORD for p in new)) and needed <= old_names


def _describe_method(
    cls: Any, name: str, function: Any, declaring: Any, needs: list[str], names: dict[str, Any], is_handler: bool
) -> dict[str, Any]:
    """What a method declares. `declaring` is the function with the decorator; None: it only says what it needs."""
    from graphbus_core import decorators, type_hints

    code = getattr(function, "__code__", None)
    record: dict[str, Any] = {}
    if declaring is not None:
        record = type_hints.read_declaration(declaring, handler=is_handler, bound=type_hints.is_bound(cls, name))
    contracts: dict[str, Any] = {}
    for side in decorators.SIDES:
        contracts[side] = _describe_contract(record.get(f"{side}_schema"), names, side)
        if side in getattr(declaring, decorators.HINTED, ("input",)) and _is_empty_hint(side, contracts[side]):
            contracts[side] = None
    return {
        **contracts,
        "description": record.get("description"),
        "payload_parameter": record.get("payload_parameter") if contracts["input"] is not None else None,
        "depends_on": needs,
        "lineno": code.co_firstlineno if code else 0,
    }


def _is_empty_hint(side: str, contract: dict[str, Any] | None) -> bool:
    """Whether a hint is not a contract after all: not data, or data of which nothing is said."""
    from graphbus_core.analysis.scan.hints import is_vague

    return contract is None or "error" in contract or (side == "output" and is_vague(contract["schema"]))


def _describe_contract(live: Any, names: dict[str, Any], side: str = "input") -> dict[str, Any] | None:
    from graphbus_core.contracts import Contract
    from graphbus_core.contracts.parsing.json_schema import is_likely_json_schema
    from graphbus_core.errors import ContractError

    if live is None:
        return None
    fields = getattr(live, "fields", None)
    if type(live).__name__ == "Schema" and isinstance(fields, dict):
        live = fields
    try:
        if is_likely_json_schema(live):
            return {"schema": Contract.from_json_schema(live).to_json_schema()}
        return {"schema": Contract.from_annotations(_evaluate(live, names), side=side).to_json_schema()}
    except ContractError as e:
        return {"error": str(e)}


def _evaluate(live: Any, names: dict[str, Any]) -> Any:
    """Types written as text, evaluated where they were written (we stand in the project's own process)."""
    if isinstance(live, dict):
        return {field: _evaluate(kind, names) for field, kind in live.items()}
    if isinstance(live, str):
        try:
            return eval(live, dict(names))
        except Exception:
            return live  # `from_annotations` says what is wrong with it
    return live


if __name__ == "__main__":
    main()
