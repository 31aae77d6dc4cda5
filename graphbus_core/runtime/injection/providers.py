"""What nodes are given: constructor arguments, by type or by name, from providers.

    RuntimeExecutor(folder, provide={Database: make_db, "clock": time.time_ns})
    graphbus run --provide package.module:factory

A provider is a function (sync, async, a generator that yields once, a context manager) or the thing itself. It is
asked once, when the first node wants it, and what it gave is closed at the stop, the last first. Types are matched by
their qualified names: a frozen module is imported apart, so its `Database` is not the `Database` of the program.
"""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

from graphbus_core.errors import ConfigError
from graphbus_core.runtime.injection.effects import EffectProxy, EffectRecorder, EffectSource, is_effect

RUNTIME_ARGUMENTS = ("bus", "memory", "name")  # what the runtime itself gives
log = logging.getLogger("graphbus.runtime")


@dataclass(frozen=True)
class ConstructorArgument:
    """One constructor argument. `type_name` is qualified where that can be told; `needed`: it has no default."""

    parameter: str
    type_name: str
    needed: bool
    where: str  # file:line

    def __str__(self) -> str:
        short = self.type_name.rpartition(".")[2]
        return f"{self.parameter}: {short}" if short else self.parameter


def list_wanted(kind: type) -> list[ConstructorArgument]:
    """What the constructor of a class takes beside what the runtime gives."""
    init: Any = vars(kind).get("__init__") or next(vars(k)["__init__"] for k in kind.__mro__ if "__init__" in vars(k))
    if init is object.__init__:
        return []
    try:
        parameters = list(inspect.signature(init).parameters.values())[1:]
    except (TypeError, ValueError):
        return []
    by_name_kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    mine = [p for p in parameters if p.kind in by_name_kinds and p.name not in RUNTIME_ARGUMENTS]
    if not mine:
        return []
    try:
        hints = get_type_hints(init)
    except Exception:  # a name that only a type checker sees
        hints = {}
    code = getattr(init, "__code__", None)
    where = f"{code.co_filename}:{code.co_firstlineno}" if code is not None else kind.__module__
    return [
        ConstructorArgument(
            p.name, qualify_type(hints.get(p.name, p.annotation)), p.default is inspect.Parameter.empty, where
        )
        for p in mine
    ]


def qualify_type(annotation: Any) -> str:
    """The qualified name of a type; the text of one that cannot be resolved; empty for none."""
    if annotation is inspect.Parameter.empty or annotation is None:
        return ""
    if isinstance(annotation, str):
        return annotation.strip("'\" ").split("|")[0].strip()
    args = [a for a in getattr(annotation, "__args__", ()) if a is not type(None)]
    if args and not isinstance(annotation, type):
        return qualify_type(args[0])
    module, name = getattr(annotation, "__module__", ""), getattr(annotation, "__qualname__", str(annotation))
    return _normalize_name(f"{module}.{name}")


def _normalize_name(dotted: str) -> str:
    """The name under which people know a type: `pathlib.Path` stands in `pathlib._local` since Python 3.13."""
    module, _, name = dotted.rpartition(".")
    public = module.partition("._")[0]
    kind = getattr(sys.modules.get(module), name, None)
    return f"{public}.{name}" if kind is not None and getattr(sys.modules.get(public), name, None) is kind else dotted


class Providers:
    """The providers of one run, and what they gave."""

    def __init__(self, providers: Mapping[Any, Any] | None = None, texts: tuple[str, ...] = ()) -> None:
        self._named: dict[str, Any] = {}
        self._typed: dict[str, Any] = {}
        self._made: dict[int, Any] = {}
        self._open = AsyncExitStack()
        self._effects: EffectSource | None = None
        for key, provider in (providers or {}).items():
            if isinstance(key, str):
                (self._typed if "." in key else self._named)[_normalize_name(key)] = provider
            else:
                self._typed[qualify_type(key)] = provider
        for text in texts:
            self._add(text)

    def hold_effects(self, source: EffectSource) -> None:
        """What providers that are marked as effects give is asked of `source`."""
        self._effects = source

    def record_effects(self, journal: Path, cause: Callable[[], str | None]) -> None:
        """What effects give is written down beside a journal, unless somebody else answers for them."""
        if self._effects is None and any(map(is_effect, (*self._named.values(), *self._typed.values()))):
            recorder = self._effects = EffectRecorder(journal, cause)
            self._open.callback(recorder.close)

    def _add(self, text: str) -> None:
        """`module:factory`, `name=module:factory`, or `package.Type=module:factory`."""
        name, eq, target = text.rpartition("=")
        module, colon, attribute = target.partition(":")
        if not colon or not module or not attribute:
            raise ConfigError(f"--provide wants module:factory, or name=module:factory, not '{text}'.")
        try:
            factory: Any = import_module(module)
            for part in attribute.split("."):
                factory = getattr(factory, part)
        except Exception as e:
            raise ConfigError(f"--provide {text}: {type(e).__name__}: {e}.") from None
        if eq:
            (self._typed if "." in name else self._named)[_normalize_name(name)] = factory
        elif type_name := _infer_type(factory):
            self._typed[type_name] = factory
        else:
            raise ConfigError(
                f"--provide {text}: nobody can tell what it makes. Annotate what {attribute} returns, or write "
                f"NAME={target} with the parameter's name."
            )

    def add_type(self, name: str, provider: Any) -> None:
        """A provider of the type of that name, as far as the name is known."""
        self._typed[name] = provider

    def find(self, argument: ConstructorArgument) -> Any:
        """The provider of an argument, or None: by its type, by its name, by the short name of an unresolved type."""
        by_type = self._typed.get(argument.type_name)
        if by_type is None and argument.type_name:
            short = argument.type_name.rpartition(".")[2]
            plain = argument.type_name if "." in argument.type_name else None
            near = [p for t, p in self._typed.items() if t.rpartition(".")[2] == short and _may_match(t, plain)]
            by_type = near[0] if len(near) == 1 else None
        return by_type if by_type is not None else self._named.get(argument.parameter)

    def explain_missing(self, wants: Mapping[str, list[ConstructorArgument]]) -> dict[str, str]:
        """node -> why it cannot be made."""
        return {
            node: "; ".join(
                f"its __init__ wants {argument} ({argument.where}), and nothing provides it: give "
                f"provide={{{argument.type_name.rpartition('.')[2] or repr(argument.parameter)}: …}}, or --provide"
                for argument in lacking
            )
            for node, arguments in wants.items()
            if (lacking := [argument for argument in arguments if argument.needed and self.find(argument) is None])
        }

    async def make(self, wants: Mapping[str, list[ConstructorArgument]]) -> None:
        """Ask every provider that is wanted, once, in the order of the nodes."""
        for arguments in wants.values():
            for argument in arguments:
                provider = self.find(argument)
                if provider is not None and id(provider) not in self._made:
                    self._made[id(provider)] = await self._make_one(argument, provider)

    async def _make_one(self, argument: ConstructorArgument, provider: Any) -> Any:
        if self._effects is None or not is_effect(provider):
            return await self._open_provider(provider)
        name = argument.type_name.rpartition(".")[2] or argument.parameter
        real = await self._open_provider(provider) if self._effects.is_real else None
        return EffectProxy(name, self._effects, real)

    async def _open_provider(self, provider: Any) -> Any:
        if not callable(provider) or (hasattr(provider, "__enter__") and not isinstance(provider, type)):
            return provider
        if inspect.isgeneratorfunction(provider):
            return self._open.enter_context(contextmanager(provider)())
        if inspect.isasyncgenfunction(provider):
            return await self._open.enter_async_context(asynccontextmanager(provider)())
        instance = provider()
        if inspect.isawaitable(instance):
            instance = await instance
        if hasattr(instance, "__aenter__"):
            return await self._open.enter_async_context(instance)
        if hasattr(instance, "__enter__"):
            return self._open.enter_context(instance)
        close = getattr(instance, "aclose", None) or getattr(instance, "close", None)
        if callable(close) and not isinstance(instance, type):
            self._open.push_async_callback(_close, close)
        return instance

    def build_arguments(self, wanted_arguments: list[ConstructorArgument]) -> dict[str, Any]:
        """What a constructor is called with."""
        values: dict[str, Any] = {}
        for argument in wanted_arguments:
            provider = self.find(argument)
            if provider is not None:
                values[argument.parameter] = self._made[id(provider)]
        return values

    async def close(self) -> None:
        """Close what was made, the last first. Raises the last error; every one is closed all the same."""
        self._made.clear()
        await self._open.aclose()
        if isinstance(self._effects, EffectRecorder):
            self._effects = None  # another start has a record of its own

    @property
    def asynchronous(self) -> bool:
        """Whether a loop is needed: to make what one of them gives, or to close it."""
        providers = (*self._named.values(), *self._typed.values())
        return any(
            inspect.iscoroutinefunction(p)
            or inspect.isasyncgenfunction(p)
            or hasattr(p, "__aenter__")
            or hasattr(p, "aclose")
            for p in providers
        )


async def _close(close: Callable[[], Any]) -> None:
    result = close()
    if isinstance(result, Awaitable):
        await result


def _infer_type(factory: Any) -> str:
    if isinstance(factory, type):
        return qualify_type(factory)
    try:
        hint = get_type_hints(factory).get("return")
    except Exception:
        hint = getattr(factory, "__annotations__", {}).get("return")
    args = getattr(hint, "__args__", ())
    generates = inspect.isgeneratorfunction(factory) or inspect.isasyncgenfunction(factory)
    return qualify_type(args[0] if generates and args else hint)


def _may_match(provided: str, wanted_name: str | None) -> bool:
    """Whether two qualified names of one short name can be meant: one is unresolved, or stands under a prefix."""
    return wanted_name is None or provided.endswith(f".{wanted_name}") or wanted_name.endswith(f".{provided}")
