"""Names of models and where they come from: which provider a name means, which key it needs, what is chosen.

Nothing here imports a model library; that costs a second, and a build without a model must not pay it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphbus_core.config import LLMConfig
from graphbus_core.errors import ParticipantError, UsageError
from graphbus_core.origin import is_installed


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
class Choice:
    """Which model sits at the table by default (None: the rule negotiators do), and why, in a sentence for the user."""

    model: str | None
    why: str


def full_name(name: str) -> str:
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


def provider_of(name: str) -> str:
    """The provider of a full name, with the flavours of one provider taken together (`openai-chat` is `openai`)."""
    provider = name.partition(":")[0].removeprefix("gateway/")
    return "openai" if provider in ("openai-chat", "openai-responses") else provider


def is_model(name: str) -> bool:
    """Whether `name` means a model, and not a script, a recording or the rules."""
    return name.partition(":")[0] not in NOT_MODELS


def choose_model(environ: Mapping[str, str], llm: LLMConfig | None = None) -> Choice:
    """Who answers by default: the configured model, else the provider whose key is in `environ`, else the rules.

    Raises UsageError (one sentence) where a model was named and cannot be seated: a missing extra or a missing key.
    """
    llm = llm or LLMConfig()
    if llm.model:
        if not is_model(llm.model):
            who = "The rule negotiators answer" if llm.model == "rules" else f"{llm.model} answers"
            return Choice(llm.model, f"{who}, as asked for.")
        name = full_name(llm.model)
        if trouble := _cannot(name, environ, llm):
            raise UsageError(trouble)
        return Choice(name, f"{name} answers, as asked for.")
    if llm.api_key:
        provider = "anthropic" if llm.api_key.startswith("sk-ant-") else "openai"
        name = f"{provider}:{_BY_NAME[provider].model}"
        if trouble := _cannot(name, environ, llm):
            raise UsageError(trouble)
        return Choice(name, f"{name} answers: its key was given and no model was named; choose another with --model.")
    missing = ""
    for known in PROVIDERS:
        key = next((k for k in known.keys if environ.get(k)), None)
        if key is None:
            continue
        name = f"{known.name}:{known.model}"
        trouble = _cannot(name, environ, llm)
        if trouble is None:
            return Choice(
                name, f"{name} answers, because {key} is set; choose another with --model, or `--model rules` for none."
            )
        missing = missing or f" ({key} is set, but {trouble})"
    first = PROVIDERS[0]
    return Choice(
        None,
        f"The rule negotiators answer, with no model{missing}. To seat a model, install it with `{INSTALL}` and set "
        f"{first.keys[0]} (or {', '.join(p.keys[0] for p in PROVIDERS[1:3])}), "
        "or name one, as in --model ollama:qwen3.",
    )


def require(name: str, environ: Mapping[str, str], llm: LLMConfig) -> None:
    """Raise ParticipantError, in a sentence that says what to do, if the model `name` cannot be seated here."""
    if trouble := _cannot(name, environ, llm):
        raise ParticipantError(trouble)


def _cannot(name: str, environ: Mapping[str, str], llm: LLMConfig) -> str | None:
    if not is_installed("pydantic_ai"):
        return f"{name} needs the llm extra, which is not installed: {INSTALL}."
    provider = _BY_NAME.get(provider_of(name))
    if provider is None:
        return _unknown(name)
    if not is_installed(provider.package):
        return f"{name} needs its client library: pip install 'pydantic-ai-slim[{provider.extra}]'."
    own = llm.api_key and (not llm.model or provider_of(full_name(llm.model)) == provider.name)
    # A server of one's own speaks OpenAI's form and seldom wants a key.
    elsewhere = provider.name == "openai" and (llm.base_url or environ.get("OPENAI_BASE_URL"))
    if own or elsewhere or any(environ.get(k) for k in provider.keys):
        return None
    return (
        f"{name} needs a key: set {' or '.join(provider.keys)}, choose another model with --model, "
        "or leave --model out for the rule negotiators."
    )


def _unknown(name: str) -> str | None:
    """Why nobody can be asked by this name: pydantic-ai knows more providers than we do, but not this one."""
    from pydantic_ai.providers import infer_provider_class

    try:
        infer_provider_class(name.partition(":")[0])
    except ValueError:
        known = ", ".join([*_BY_NAME, "ollama"])
        return (
            f"{name} cannot be asked: there is no provider {provider_of(name)!r}. Write it as provider:model; {known} "
            "and those of pydantic-ai are known."
        )
    except ImportError:
        pass  # it says itself what it lacks
    return None


def as_with_keys(llm: LLMConfig, environ: Mapping[str, str]) -> dict[str, str]:
    """The environment with a key for each model that is named: what it would cost can be told before one is bought."""
    named = [name for name in (llm.model, *llm.models.values(), llm.fallback_model) if name and is_model(name)]
    providers = [_BY_NAME.get(provider_of(full_name(name))) for name in named]
    return {p.keys[0]: "none" for p in providers if p is not None} | dict(environ)
