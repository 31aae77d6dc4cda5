"""Names of models and where they come from: which provider a name means, which key it needs, what is chosen.

Nothing here imports a model library; that costs a second, and a build without a model must not pay it.
"""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from graphbus_core.config import LLMConfig
from graphbus_core.errors import ParticipantError, UsageError
from graphbus_core.module_origin import is_installed


@dataclass(frozen=True)
class Provider:
    """One provider as pydantic-ai names it: its keys in the environment, a sensible model, its client's package."""

    name: str
    keys: tuple[str, ...]
    model: str
    package: str = "openai"
    extra: str = "openai"


# In the order in which a key in the environment is looked for. The models are middle-sized ones of November 2026.
PROVIDERS: tuple[Provider, ...] = (
    Provider("anthropic", ("ANTHROPIC_API_KEY",), "claude-sonnet-5-5", "anthropic", "anthropic"),
    Provider("openai", ("OPENAI_API_KEY",), "gpt-6.1-terra"),
    Provider("google", ("GOOGLE_API_KEY", "GEMINI_API_KEY"), "gemini-3.8-flash", "google.genai", "google"),
    Provider("mistral", ("MISTRAL_API_KEY",), "mistral-medium-latest", "mistralai", "mistral"),
    Provider("groq", ("GROQ_API_KEY",), "openai/gpt-oss-120b", "groq", "groq"),
)
_BY_NAME = {p.name: p for p in PROVIDERS}
_BARE = (
    ("claude", "anthropic"),
    ("gpt-", "openai"),
    ("chatgpt", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
)
_BARE_ALL = (*_BARE, ("gemini", "google"), ("mistral-", "mistral"), ("codestral", "mistral"), ("magistral", "mistral"))
NOT_MODELS = ("scripted", "recorded", "rules", "mcp")  # what `--model` takes beside models; others seat those

INSTALL = "pip install 'graphbus-core[llm]'"


@dataclass(frozen=True)
class ModelChoice:
    """Which model sits at the table by default (None: the rule negotiators do), and why, in a sentence for the user."""

    model: str | None
    why: str


def resolve_model_name(name: str) -> str:
    """`provider:model`, as pydantic-ai writes it; the seeds' bare names find their provider. Raises UsageError."""
    name = name.strip()
    if ":" in name:
        provider, _, model = name.partition(":")
        if not provider.strip() or not model.strip():
            raise UsageError(f"The model name {name!r} is incomplete; write it as provider:model.")
        return f"{provider.strip().lower()}:{model.strip()}"
    for start, provider in _BARE_ALL:
        if name.startswith(start):
            return f"{provider}:{name}"
    raise UsageError(
        f"The model name {name!r} says no provider; write it as provider:model, for example "
        f"anthropic:{_BY_NAME['anthropic'].model}, openai:{_BY_NAME['openai'].model} or ollama:{name or 'qwen3'}."
    )


def find_provider(name: str) -> str:
    """The provider of a full name, with the flavours of one provider taken together (`openai-chat` is `openai`)."""
    provider = name.partition(":")[0].removeprefix("gateway/")
    return "openai" if provider in ("openai-chat", "openai-responses") else provider


def is_model(name: str) -> bool:
    """Whether `name` means a model, and not a script, a recording or the rules."""
    return name.partition(":")[0] not in NOT_MODELS


def choose_model(environ: Mapping[str, str], llm: LLMConfig | None = None) -> ModelChoice:
    """Who answers by default: the configured model, else the provider whose key is in `environ`, else the rules.

    Raises UsageError (one sentence) where a model was named and cannot be seated: a missing extra or a missing key.
    """
    llm = llm or LLMConfig()
    if llm.model:
        if not is_model(llm.model):
            who = "The rule negotiators answer" if llm.model == "rules" else f"{llm.model} answers"
            return ModelChoice(llm.model, f"{who}, as asked for.")
        name = resolve_model_name(llm.model)
        if trouble := _explain_unavailable(name, environ, llm):
            raise UsageError(trouble)
        return ModelChoice(name, f"{name} answers, as asked for.")
    if llm.api_key:
        provider = "anthropic" if llm.api_key.startswith("sk-ant-") else "openai"
        name = f"{provider}:{_BY_NAME[provider].model}"
        if trouble := _explain_unavailable(name, environ, llm):
            raise UsageError(trouble)
        return ModelChoice(
            name, f"{name} answers: its key was given and no model was named; choose another with --model."
        )
    missing = ""
    for provider_info in PROVIDERS:
        key = next((k for k in provider_info.keys if environ.get(k)), None)
        if key is None:
            continue
        name = f"{provider_info.name}:{provider_info.model}"
        trouble = _explain_unavailable(name, environ, llm)
        if trouble is None:
            return ModelChoice(
                name, f"{name} answers, because {key} is set; choose another with --model, or `--model rules` for none."
            )
        missing = missing or f" ({key} is set, but {trouble})"
    first = PROVIDERS[0]
    return ModelChoice(
        None,
        f"The rule negotiators answer, with no model{missing}. To seat a model, install it with `{INSTALL}` and set "
        f"{first.keys[0]} (or {', '.join(p.keys[0] for p in PROVIDERS[1:3])}), "
        "or name one, as in --model ollama:qwen3.",
    )


def require_available(name: str, environ: Mapping[str, str], llm: LLMConfig) -> None:
    """Raise ParticipantError, in a sentence that says what to do, if the model `name` cannot be seated here."""
    if trouble := _explain_unavailable(name, environ, llm):
        raise ParticipantError(trouble)


def _explain_unavailable(name: str, environ: Mapping[str, str], llm: LLMConfig) -> str | None:
    if not is_installed("pydantic_ai"):
        return f"{name} needs the llm extra, which is not installed: {INSTALL}."
    provider = _BY_NAME.get(find_provider(name))
    if provider is None:
        return _explain_unknown_provider(name)
    if not is_installed(provider.package):
        return f"{name} needs its client library: pip install 'pydantic-ai-slim[{provider.extra}]'."
    own = llm.api_key and (not llm.model or find_provider(resolve_model_name(llm.model)) == provider.name)
    # A server of one's own speaks OpenAI's form and seldom wants a key.
    elsewhere = provider.name == "openai" and (llm.base_url or environ.get("OPENAI_BASE_URL"))
    if own or elsewhere or any(environ.get(k) for k in provider.keys):
        return None
    return (
        f"{name} needs a key: set {' or '.join(provider.keys)}, choose another model with --model, "
        "or leave --model out for the rule negotiators."
    )


def _explain_unknown_provider(name: str) -> str | None:
    """Why nobody can be asked by this name: pydantic-ai knows more providers than we do, but not this one."""
    from pydantic_ai.providers import infer_provider_class

    try:
        infer_provider_class(name.partition(":")[0])
    except ValueError:
        providers = ", ".join([*_BY_NAME, "ollama"])
        return (
            f"{name} cannot be asked: there is no provider {find_provider(name)!r}. Write it as "
            f"provider:model; {providers} "
            "and those of pydantic-ai are known."
        )
    except ImportError:
        pass  # it says itself what it lacks
    return None


def fill_missing_keys(llm: LLMConfig, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment with a key for each model that is named: what it would cost can be told before one is bought."""
    models = [name for name in (llm.model, *llm.models.values(), llm.fallback_model) if name and is_model(name)]
    providers = [_BY_NAME.get(find_provider(resolve_model_name(name))) for name in models]
    return {p.keys[0]: "none" for p in providers if p is not None} | dict(environ)


# A model, opened: the only file that builds a pydantic-ai model, and the only reason why it is imported.


OLLAMA_URL = "http://localhost:11434/v1"
# Whose official client library can send over aiohttp, and the library.
THIN = {"anthropic": "anthropic", **dict.fromkeys(("openai", "openai-chat", "openai-responses", "ollama"), "openai")}


def open_model(name: str, llm: LLMConfig) -> Any:
    """The pydantic-ai model of a full name. Raises ParticipantError with one sentence where that cannot be.

    `llm.api_key` and `llm.base_url` go to the provider of `llm.model` only: a key must not reach another provider.
    With a base URL, `openai:` speaks chat completions, which is what compatible servers offer.
    """
    require_available(name, os.environ, llm)
    try:
        from httpx2 import InvalidURL
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
        from pydantic_ai.providers import infer_provider_class
    except ImportError as e:
        raise ParticipantError(f"{name} needs the llm extra, which is not installed: {INSTALL}.") from e
    kind, _, model = name.partition(":")
    settings: dict[str, Any] = {}
    if not llm.model or find_provider(resolve_model_name(llm.model)) == find_provider(name):
        settings = {k: v for k, v in (("api_key", llm.api_key), ("base_url", llm.base_url)) if v}
    if kind == "openai" and (address := settings.get("base_url") or os.environ.get("OPENAI_BASE_URL")):
        kind, settings["base_url"] = "openai-chat", address  # said here, so that a server without a key gets none
    if kind == "ollama" and not os.environ.get("OLLAMA_BASE_URL"):
        settings.setdefault("base_url", OLLAMA_URL)

    def make_provider(kind: str) -> Any:
        return infer_provider_class(kind)(**settings)

    try:
        if kind in THIN and is_installed("aiohttp"):  # an older install sends by httpx, as other providers do
            settings["http_client"] = import_module(THIN[kind]).DefaultAioHttpClient(verify=_load_certificates())
        opened = (
            infer_model(f"{kind}:{model}", provider_factory=make_provider)
            if settings
            else infer_model(f"{kind}:{model}")
        )
    except (UserError, ValueError, InvalidURL) as e:
        raise ParticipantError(f"{name} cannot be used: {_take_first_sentence(e)}") from e
    except ImportError as e:
        raise ParticipantError(f"{name} needs its client library: {_take_first_sentence(e)}") from e
    except TypeError as e:
        raise ParticipantError(f"{name} takes no {' or '.join(settings)}: {_take_first_sentence(e)}") from e
    _keep_libraries()
    return _disable_retries(opened)


async def hold_open(model: Any) -> AsyncGenerator[None, None]:
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
def _load_certificates() -> Any:
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


def _disable_retries(model: Any) -> Any:
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


def _take_first_sentence(e: Exception) -> str:
    return str(e).split("\n")[0].split(". ")[0].rstrip(".") + "."
