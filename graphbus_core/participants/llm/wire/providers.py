"""A model, opened: the only file that builds a pydantic-ai model, and the only reason why it is imported."""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncGenerator
from functools import cache
from importlib import import_module
from typing import Any

from graphbus_core.config import LLMConfig
from graphbus_core.errors import ParticipantError
from graphbus_core.origin import is_installed
from graphbus_core.participants.llm.wire.model_names import INSTALL, full_name, provider_of, require

OLLAMA_URL = "http://localhost:11434/v1"
# Whose official client library can send over aiohttp, and the library.
THIN = {"anthropic": "anthropic", **dict.fromkeys(("openai", "openai-chat", "openai-responses", "ollama"), "openai")}


def open_model(name: str, llm: LLMConfig) -> Any:
    """The pydantic-ai model of a full name. Raises ParticipantError with one sentence where that cannot be.

    `llm.api_key` and `llm.base_url` go to the provider of `llm.model` only: a key must not reach another provider.
    With a base URL, `openai:` speaks chat completions, which is what compatible servers offer.
    """
    require(name, os.environ, llm)
    try:
        from httpx2 import InvalidURL
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
        from pydantic_ai.providers import infer_provider_class
    except ImportError as e:
        raise ParticipantError(f"{name} needs the llm extra, which is not installed: {INSTALL}.") from e
    kind, _, model = name.partition(":")
    given: dict[str, Any] = {}
    if not llm.model or provider_of(full_name(llm.model)) == provider_of(name):
        given = {k: v for k, v in (("api_key", llm.api_key), ("base_url", llm.base_url)) if v}
    if kind == "openai" and (address := given.get("base_url") or os.environ.get("OPENAI_BASE_URL")):
        kind, given["base_url"] = "openai-chat", address  # said here, so that a server without a key gets none
    if kind == "ollama" and not os.environ.get("OLLAMA_BASE_URL"):
        given.setdefault("base_url", OLLAMA_URL)

    def provider(kind: str) -> Any:
        return infer_provider_class(kind)(**given)

    try:
        if kind in THIN and is_installed("aiohttp"):  # an older install sends by httpx, as other providers do
            given["http_client"] = import_module(THIN[kind]).DefaultAioHttpClient(verify=_trusted())
        opened = infer_model(f"{kind}:{model}", provider_factory=provider) if given else infer_model(f"{kind}:{model}")
    except (UserError, ValueError, InvalidURL) as e:
        raise ParticipantError(f"{name} cannot be used: {_first_sentence(e)}") from e
    except ImportError as e:
        raise ParticipantError(f"{name} needs its client library: {_first_sentence(e)}") from e
    except TypeError as e:
        raise ParticipantError(f"{name} takes no {' or '.join(given)}: {_first_sentence(e)}") from e
    _keep_libraries()
    return _without_retries(opened)


async def until_closed(model: Any) -> AsyncGenerator[None, None]:
    """Held by whoever holds `model`: its connections close when nobody does, or when the event loop ends.

    An event loop ends the generators that began in it before it closes; it has no other such hook, and those who ask a
    model do not know which question was its last.
    """
    try:
        yield
    finally:
        client: Any = getattr(model, "client", None)
        if _is_official(client):
            await client.close()


@cache
def _trusted() -> Any:
    """Whose certificates are believed. Read once in a process: it takes 20 ms, as long as ten answers."""
    from httpx2 import create_ssl_context

    return create_ssl_context()


@cache
def _keep_libraries() -> None:
    """Tell the collector, once in a process, that what the client libraries brought along stays.

    They bring some 200,000 objects, and every full collection looks at each of them again: a sixth of the processor
    time of a negotiation of 174 answers.
    """
    gc.freeze()


def _without_retries(model: Any) -> Any:
    """The model with its client's own retries switched off: we try again ourselves, so that every request is counted.

    Set once on the client where it has the setting (OpenAI's and Anthropic's do): asked for with each request, it
    would have the client copied each time, which costs more than the rest of our side of a call.
    """
    client: Any = getattr(model, "client", None)
    if _is_official(client):
        client.max_retries = 0
    return model


def _is_official(client: Any) -> bool:
    """Whether this is OpenAI's or Anthropic's own client, or one that was generated like them."""
    return isinstance(getattr(client, "max_retries", None), int)


def _first_sentence(e: Exception) -> str:
    return str(e).split("\n")[0].split(". ")[0].rstrip(".") + "."
