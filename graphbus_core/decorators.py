"""What authors write: `schema_method`, `contract`, `subscribe`, `publishes`, `depends_on`, `Alias`. They only record.

A decorated function is the same function object, with its record in an attribute. The static scanner reads the
same facts from source; the attributes are for whoever has the class in hand (the importing reader, the runtime).

    _graphbus_schema         {"input_schema": …, "output_schema": …, "description": …} as written
    _graphbus_hinted         the sides that were left out, and so stand in the hints: ("input", "output")
    _graphbus_component      True on a plain class that takes part
    _graphbus_subscriptions  topics, in the order written
    _graphbus_publications   ((topic, payload contract or None), …)
    _graphbus_retry          (times, backoff in seconds), only where a subscription asks for it
    _graphbus_bounds         (timeout in seconds or None, concurrency or None), the same
    _graphbus_order_key      the field whose events are handled in order, the same
    _graphbus_mappings       {topic or "Fetcher.fetch": ({consumer field: producer field}, {consumer field: function})}
    _graphbus_depends_on     names: "Fetcher", on a method also "Fetcher.fetch_headlines"
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeVar, overload

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

SCHEMA = "_graphbus_schema"
HINTED = "_graphbus_hinted"
COMPONENT = "_graphbus_component"
SUBSCRIPTIONS = "_graphbus_subscriptions"
PUBLICATIONS = "_graphbus_publications"
DEPENDS_ON = "_graphbus_depends_on"
RETRY = "_graphbus_retry"
BOUNDS = "_graphbus_bounds"
MAPPINGS = "_graphbus_mappings"
ORDER_KEY = "_graphbus_order_key"
SIDES = ("input", "output")
_LEFT_OUT: Any = object()  # None says "undeclared"; nothing at all says "read the hint"


class Alias:
    """Another name of a field: `Annotated[str, Alias("qty")]`. Evidence for the rule negotiators, and nothing else:
    data goes by the field's own name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"Alias({self.name!r})"


# A class (a TypedDict, a model) is callable too, so it is told from a bare `@schema_method` first. Each form keeps the
# signature of what it decorates: a wrong keyword at a caller is the type checker's to find.
@overload
def schema_method(
    input_schema: type[Any], output_schema: Any = ..., *, description: str | None = None
) -> Callable[[T], T]: ...
@overload
def schema_method(input_schema: F) -> F: ...
@overload
def schema_method(
    input_schema: Any = ..., output_schema: Any = ..., *, description: str | None = None
) -> Callable[[T], T]: ...


def schema_method(
    input_schema: Any = _LEFT_OUT, output_schema: Any = _LEFT_OUT, *, description: str | None = None
) -> Any:
    """Declare what a method takes and gives back (seed 002 §2.1).

    A contract is a dict of field name to type, a `TypedDict`, a dataclass, a pydantic model or a JSON Schema. A side
    that is left out is read from the method's hints: its parameters, and what it returns. A side that has no hint, or
    is None, stays undeclared and out of the checks.
    """
    if isinstance(input_schema, FunctionType):
        return _record_schema(input_schema, _LEFT_OUT, _LEFT_OUT, None)

    def record(method: T) -> T:
        return _record_schema(method, input_schema, output_schema, description)

    return record


@overload
def contract(input_schema: T) -> T: ...
@overload
def contract(
    input_schema: Any = ..., output_schema: Any = ..., *, description: str | None = None
) -> Callable[[T], T]: ...


def contract(input_schema: Any = _LEFT_OUT, output_schema: Any = _LEFT_OUT, *, description: str | None = None) -> Any:
    """Let a plain class or function take part, without inheriting: it is called at run time as it is.

    On a function or a method it is `schema_method`. On a class, bare, every public method whose hints say something
    has a contract. `graphbus.components` in `pyproject.toml` does the same without an import.
    """
    if (
        isinstance(input_schema, type)
        and output_schema is _LEFT_OUT
        and description is None
        and _is_plain(input_schema)
    ):
        setattr(input_schema, COMPONENT, True)
        return input_schema
    return schema_method(input_schema, output_schema, description=description)


def _is_plain(cls: type) -> bool:
    """Whether a class does something, rather than being a contract itself (`@contract(Order)`)."""
    is_record = hasattr(cls, "__required_keys__") or hasattr(cls, "__dataclass_fields__") or hasattr(cls, "_fields")
    return not is_record and not hasattr(cls, "model_json_schema")


def _record_schema(method: T, input_schema: Any, output_schema: Any, description: str | None) -> T:
    schemas = {"input": input_schema, "output": output_schema}
    stated = {f"{side}_schema": None if value is _LEFT_OUT else value for side, value in schemas.items()}
    setattr(_unwrap_function(method), SCHEMA, {**stated, "description": description})
    setattr(_unwrap_function(method), HINTED, tuple(side for side in SIDES if schemas[side] is _LEFT_OUT))
    return method


def subscribe(
    *topics: str,
    retries: int = 0,
    backoff_s: float = 0.0,
    timeout_s: float | None = None,
    concurrency: int | None = None,
    key: str | None = None,
    map: Mapping[str, str] | None = None,
    convert: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Callable[[T], T]:
    """Call the method with every event of these topics; a topic may be a pattern (`/Order/*`, `/Order/**`).

    `map` is {field of the method's payload: field that is published}, for a publisher that calls it something else;
    `convert` is {field: function of a module that makes its value}, and its hints say what it takes and gives.

    If it raises, it is tried `retries` times more, after `backoff_s` seconds, doubled each time. An attempt may take
    `timeout_s` seconds; `concurrency` events may be with the handler at once.

    `key` is a field of the payload: events that have the same there are handled one after the other, in their order,
    with all their attempts; the others go in parallel.
    """
    for topic in topics:
        _check_name("subscribe", "a topic", topic)
    if key is not None and not (isinstance(key, str) and key):
        raise TypeError(f"@subscribe wants the name of a payload's field as key=, not {key!r}.")
    mapping = _check_mapping("subscribe", map, convert)

    def record(method: T) -> T:
        _record_mapping(method, topics, mapping)
        if retries:
            setattr(_unwrap_function(method), RETRY, (retries, backoff_s))
        if key is not None:
            setattr(_unwrap_function(method), ORDER_KEY, key)
        if timeout_s is not None or concurrency is not None:
            setattr(_unwrap_function(method), BOUNDS, (timeout_s, concurrency))
        if topics:
            # the first topic alone, under the name by which programs written for graphbus-core 0.5 look for it
            _unwrap_function(method)._graphbus_subscribe_topic = topics[0]
        return _append(method, SUBSCRIPTIONS, topics)

    return record


def publishes(topic: str, payload: Any = None) -> Callable[[T], T]:
    """Declare that the class or method publishes to `topic`, and what the payload holds (None: not declared)."""
    _check_name("publishes", "a topic", topic)
    return lambda target: _append(target, PUBLICATIONS, ((topic, payload),))


def depends_on(*names: str | type, map: Mapping[str, str] | None = None) -> Callable[[T], T]:
    """Declare what a class or a method needs.

    On a class: the names of other nodes (or the classes themselves); they start first. On a method also
    `"Fetcher.fetch_headlines"`: this method's input is that method's output. `map` is {field of this method: field of
    that one}, where the two have different names for a field; whoever calls the method hands it over so.
    """
    if not names:
        raise TypeError("depends_on needs at least one name: @depends_on('Fetcher')")
    node_names = tuple(name.__name__ if isinstance(name, type) else name for name in names)
    for name in node_names:
        _check_name("depends_on", "a node", name)
    mapping = _check_mapping("depends_on", map, None)

    def record(target: T) -> T:
        _record_mapping(target, node_names, mapping)
        return _append(target, DEPENDS_ON, node_names)

    return record


_Mapping = tuple[dict[str, str], dict[str, Callable[[Any], Any]]]


def _check_mapping(
    decorator: str, fields: Mapping[str, str] | None, conversions: Mapping[str, Callable[[Any], Any]] | None
) -> _Mapping:
    mapping = (dict(fields or {}), dict(conversions or {}))
    if not all(isinstance(name, str) and name for pair in mapping[0].items() for name in pair):
        raise TypeError(f"@{decorator} wants map={{field: producer's field}} as text, not {fields!r}.")
    if not all(callable(function) for function in mapping[1].values()):
        raise TypeError(f"@{decorator} wants convert={{field: function}}, not {conversions!r}.")
    return mapping


def _record_mapping(target: Any, names: tuple[str, ...], mapping: _Mapping) -> None:
    if any(mapping):
        plain = _unwrap_function(target)
        setattr(plain, MAPPINGS, {**getattr(plain, MAPPINGS, {}), **dict.fromkeys(names, mapping)})


def _unwrap_function(target: Any) -> Any:
    """The function behind a staticmethod or classmethod; anything else as it is."""
    return getattr(target, "__func__", target)


def _append(target: T, attribute: str, items: tuple[Any, ...]) -> T:
    """Put `items` before what is already there: decorators run bottom up, and records keep the order written.

    A subclass that is decorated again keeps what it inherits, and its parent's record stays as it was.
    """
    plain = _unwrap_function(target)
    earlier = getattr(plain, attribute, ())
    setattr(plain, attribute, items + tuple(item for item in earlier if item not in items))
    return target


def _check_name(decorator: str, what: str, value: Any) -> None:
    if not isinstance(value, str) or not value:
        raise TypeError(
            f"@{decorator} wants the name of {what} as text, not {value!r}; write @{decorator}('…') with parentheses."
        )
