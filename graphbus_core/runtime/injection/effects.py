"""Effects: what a provider does to the world outside. A run with a journal records them; a comparison answers by that.

    @effect
    def database() -> Database: ...

What such a provider gives is stood in for: each call of a method of it is one line of `JOURNAL.effects`, beside the
journal, with what it gave or raised, and the id of the event or call for which it was made.

    {"for": "event_…", "what": "Database.take", "with": [["apple"], {}], "gave": 3}
    {"for": …, "what": …, "with": …, "raised": ["KeyError", "'apple'"]}      `"awaited": true` where it is async
    {"for": …, "what": "Database.query", "with": …, "object": true}          not JSON: its methods are recorded in turn

In a comparison nothing is opened and nothing is called: the same call for the same event gets the same answer, in the
same order. A call that is not in the record is refused (EffectRefused), and the handler that made it fails.
"""

from __future__ import annotations

import builtins
import json
import os
import threading
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Protocol, TypeVar

from graphbus_core.errors import RuntimeFault, UsageError
from graphbus_core.runtime.payloads import find_non_json
from graphbus_core.storage.atomic_files import cut_torn, open_lines, write_all

T = TypeVar("T")
EFFECT = "_graphbus_effect"
SUFFIX = ".effects"  # of the file beside a journal


class EffectRefused(RuntimeFault):
    """A handler asked the world for something that the record does not hold."""


def effect(provider: T) -> T:
    """Mark a provider: what it gives acts on the world outside."""
    target: Any = provider
    setattr(target, EFFECT, True)
    return provider


def is_effect(provider: Any) -> bool:
    """Whether a provider is marked."""
    return getattr(provider, EFFECT, False) is True


class EffectSource(Protocol):
    """Answers a call of an effect: by making it, where it `is_real`, or from the record."""

    is_real: bool

    def answer(self, what: str, arguments: tuple[Any, ...], named: dict[str, Any], call: Callable[..., Any]) -> Any: ...


class EffectRecorder:
    """Makes each call, and writes down what came of it. `cause` says for which event or call it is made."""

    is_real = True

    def __init__(self, journal: Path, cause: Callable[[], str | None]) -> None:
        self._cause, self._lock = cause, threading.Lock()
        path = journal.with_name(f"{journal.name}{SUFFIX}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = open_lines(path)
            cut_torn(self._fd)
        except OSError as error:
            raise UsageError(f"The record of effects {path} cannot be written: {error.strerror}.") from None

    def answer(self, what: str, arguments: tuple[Any, ...], named: dict[str, Any], call: Callable[..., Any]) -> Any:
        """Make the call."""
        row: dict[str, Any] = {"for": self._cause(), "what": what, "with": describe_arguments(arguments, named)}
        try:
            result = call(*arguments, **named)
        except Exception as error:
            self._write({**row, "raised": [type(error).__name__, str(error)]})
            raise
        return self._await(row, result) if isinstance(result, Awaitable) else self._keep(row, result)

    async def _await(self, row: dict[str, Any], waiting: Awaitable[Any]) -> Any:
        row["awaited"] = True
        try:
            result = await waiting
        except Exception as error:
            self._write({**row, "raised": [type(error).__name__, str(error)]})
            raise
        return self._keep(row, result)

    def _keep(self, row: dict[str, Any], result: Any) -> Any:
        if is_json(result):
            self._write({**row, "gave": result})
            return result
        self._write({**row, "object": True})
        return EffectProxy(f"{row['what']}()", self, result)

    def _write(self, row: dict[str, Any]) -> None:
        with self._lock:
            write_all(self._fd, json.dumps(row).encode() + b"\n")

    def close(self) -> None:
        """No more calls are written down."""
        os.close(self._fd)


class EffectPlayer:
    """Answers from a record. `root` is the event or call from outside that is being played."""

    is_real = False

    def __init__(self, rows: list[dict[str, Any]], roots: Mapping[str, str]) -> None:
        self.root = ""
        self.refused = 0
        self._rows: dict[tuple[str, str, str], deque[dict[str, Any]]] = defaultdict(deque)
        for row in rows:
            made_for = str(row["for"])
            key = roots.get(made_for, made_for), row["what"], _render(row["with"])
            self._rows[key].append(row)

    def answer(self, what: str, arguments: tuple[Any, ...], named: dict[str, Any], call: Callable[..., Any]) -> Any:
        """What was given then. Raises what was raised then, and EffectRefused."""
        rows = self._rows.get((self.root, what, _render(describe_arguments(arguments, named))))
        if not rows:
            self.refused += 1
            shown = ", ".join([*map(repr, arguments), *(f"{k}={v!r}" for k, v in named.items())])
            raise EffectRefused(f"{what}({shown}) was not called for this event then, so nobody knows its answer.")
        row = rows.popleft()
        return self._give_later(row) if row.get("awaited") else self._give(row)

    async def _give_later(self, row: dict[str, Any]) -> Any:
        return self._give(row)

    def _give(self, row: dict[str, Any]) -> Any:
        if "raised" in row:
            kind, text = row["raised"]
            error = getattr(builtins, kind, None)
            raise (error if isinstance(error, type) and issubclass(error, Exception) else RuntimeError)(text)
        return EffectProxy(f"{row['what']}()", self, None) if row.get("object") else row.get("gave")


class EffectProxy:
    """Stands for an object from outside: whatever is done with it is a call."""

    def __init__(self, name: str, source: EffectSource, real: Any) -> None:
        self.__name, self.__source, self.__real = name, source, real

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__") and attribute.endswith("__"):
            raise AttributeError(attribute)
        real = self.__real
        return lambda *arguments, **named: self.__source.answer(
            f"{self.__name}.{attribute}", arguments, named, lambda *a, **k: getattr(real, attribute)(*a, **k)
        )

    def __call(self, method: str, *arguments: Any) -> Any:
        real = self.__real
        return self.__source.answer(f"{self.__name}.{method}", arguments, {}, lambda *a: getattr(real, method)(*a))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.__source.answer(f"{self.__name}", arguments, named, self.__real)

    def __enter__(self) -> Any:
        entered = self.__call("__enter__")
        return self if isinstance(entered, EffectProxy) else entered

    def __exit__(self, *_: object) -> Any:
        return self.__call("__exit__", None, None, None)

    def __getitem__(self, key: Any) -> Any:
        return self.__call("__getitem__", key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.__call("__setitem__", key, value)

    def __len__(self) -> int:
        return int(self.__call("__len__"))

    def __iter__(self) -> Any:
        real = self.__real
        return iter(self.__source.answer(f"{self.__name}.__iter__", (), {}, lambda: list(real)))


def describe_arguments(arguments: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """Arguments as a record has them; what JSON cannot say, as the name of its type."""
    return [[_describe(a) for a in arguments], {k: _describe(v) for k, v in sorted(named.items())}]


def _describe(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda v: f"<{type(v).__name__}>"))


def is_json(value: Any) -> bool:
    """Whether JSON brings it back as it is."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return find_non_json({"value": value}) is None


def read_effects(journal: str | Path) -> list[dict[str, Any]]:
    """What is recorded beside a journal; nothing where nothing is. Raises UsageError."""
    path = Path(f"{journal}{SUFFIX}")
    if not path.exists():
        return []
    try:
        whole, _, _ = path.read_bytes().rpartition(b"\n")  # a last line without its end was torn by a crash
        return [json.loads(line) for line in whole.splitlines() if line]
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}.") from None


def _render(arguments: list[Any]) -> str:
    return json.dumps(arguments, sort_keys=True)
