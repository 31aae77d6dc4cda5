"""One answer from one model: streamed, timed, tried again as the provider asks, and never longer than it may.

What can go wrong on the way is a value here (`NoAnswer`), with a sentence that names the cause. What the model wrote is
not judged here. `timeout_s` bounds an answer with its retries and waits; waiting for a free place does not count.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from typing import Any

from graphbus_core.config import LLMConfig
from graphbus_core.participants.llm.models import find_provider, hold_open, open_model
from graphbus_core.participants.llm.prompts import Prompt
from graphbus_core.participants.llm.usage import Spending, Usage, compute_price_usd

TRIES = 5  # requests for one answer, the first included
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
OPEN_SHARE = 0.5  # of `timeout_s`: a stream that is open and has brought no word for so long is a broken one
STALL_SHARE = 0.25  # of `timeout_s`: a stream that began and is silent for so long is a broken one
LEAST_STALL_S = 1.0
CHARACTERS_PER_TOKEN = 4  # only where a provider reported no usage
MOST_PER_TOKEN = 32  # characters of an answer for each of `max_output_tokens`: what is longer obeys no bound at all
LEAST_MOST = 65_536
DETAIL_MAX = 200  # characters of a provider's own words


Opener = Callable[[str, LLMConfig], Any]  # a full name -> a pydantic-ai model


@dataclass(frozen=True)
class Completion:
    """What a model wrote, and why it stopped (`stop`, `length`, `content_filter` …).

    `hid`: a key stood in it, so that `text` is not what was written.
    """

    text: str
    finish: str | None
    hid: bool = False


@dataclass(frozen=True)
class NoAnswer:
    """Why there is no answer. `hopeless`: no other question to this model can succeed either (key, name, quota)."""

    why: str
    hopeless: bool = False
    timed_out: bool = False


@dataclass(frozen=True)
class _Fault:
    """One request's failure, sorted."""

    cause: str
    again: bool = False
    hopeless: bool = False
    timed_out: bool = False
    after_s: float | None = None


class _StreamStalled(Exception):
    """A stream that began and then fell silent."""


class _StreamTooLong(Exception):
    """A stream that went on far beyond what an answer may have."""


class RateLimiter:
    """The way to one provider: how many questions may be under way at once, and until when it asked us to wait."""

    def __init__(self, places: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._not_before = 0.0

    async def __aenter__(self) -> None:
        while True:
            await self._places.acquire()
            wait = self._not_before - time.monotonic()
            if wait <= 0:
                return
            self._places.release()
            await asyncio.sleep(wait)

    async def __aexit__(self, *_: object) -> None:
        self._places.release()

    def hold(self, seconds: float) -> None:
        """Nobody sends to this provider before so many seconds have passed."""
        self._not_before = max(self._not_before, time.monotonic() + seconds)


class ModelClient:
    """One model, ready to be asked. Clients belong to the event loop in which they are first used."""

    def __init__(
        self, name: str, llm: LLMConfig, spending: Spending, scrub: Callable[[str], str], opener: Opener = open_model
    ) -> None:
        self.name = name
        self.opener = opener
        self.llm = llm
        self.spending = spending
        self.scrub = scrub
        self.has_answered = False
        self.hopeless: str | None = None  # why nobody needs to ask it again
        self._model: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._open: AsyncGenerator[None, None] | None = None

    async def open(self) -> Any:
        """The pydantic-ai model. Raises ParticipantError where there can be none."""
        loop = asyncio.get_running_loop()
        if self._model is None or self._loop is not loop:
            self._model, self._loop = self.opener(self.name, self.llm), loop
            self._open = hold_open(self._model)
            await anext(self._open)
        return self._model

    async def ask(
        self, prompt: Prompt, lane: RateLimiter, key: str, spent: Usage, writing: Callable[[int], None]
    ) -> Completion | NoAnswer:
        """Put one question. `key` names the asker for the provider's cache routing and for the spread of retries.

        `spent` grows with every request, also where this is cancelled. `writing(characters)` is called as text
        arrives. Raises BudgetSpent before a request that no budget covers.
        """
        model = await self.open()
        spread = random.Random(key)
        deadline = math.inf
        fault = _Fault("was not asked")
        for attempt in range(1, TRIES + 1):
            async with lane:
                began = time.monotonic()
                if began >= deadline:
                    return self._report_failure(f"{fault.cause}, and there is no time left to try again", fault)
                deadline = min(deadline, began + self.llm.timeout_s)
                self.spending.begin_request()
                spent.requests += 1
                try:
                    async with asyncio.timeout(deadline - began):
                        completion = await self._request(model, prompt, key, spent, writing)
                except Exception as e:
                    fault = _identify_fault(e, self.llm.timeout_s, self.scrub)
                else:
                    self.has_answered = True
                    return completion
                finally:
                    spent.seconds += time.monotonic() - began
            if not fault.again or attempt == TRIES:
                break
            wait = fault.after_s
            if wait is None:
                wait = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2 ** (attempt - 1)) * (0.75 + spread.random() / 2)
            elif wait <= self.llm.timeout_s:
                lane.hold(wait)
            if time.monotonic() + wait >= deadline:
                asks = "it asks to wait" if fault.after_s is not None else "the next try would come after"
                return self._report_failure(
                    f"{fault.cause}; {asks} {wait:.3g} s, longer than an answer may take", fault
                )
            await asyncio.sleep(wait)
        tries = f" ({attempt} tries)" if attempt > 1 else ""
        return self._report_failure(fault.cause + tries, fault)

    def _report_failure(self, cause: str, fault: _Fault) -> NoAnswer:
        return NoAnswer(self.scrub(f"{self.name} {cause}"), fault.hopeless, fault.timed_out)

    async def _request(
        self, model: Any, prompt: Prompt, key: str, spent: Usage, writing: Callable[[int], None]
    ) -> Completion:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.messages import CachePoint, ModelRequest, PartDeltaEvent, TextPartDelta, UserPromptPart

        content: list[Any] = [prompt.stable, CachePoint(), prompt.changing] if prompt.stable else [prompt.changing]
        message = ModelRequest(parts=[UserPromptPart(content)], instructions=prompt.system)
        settings: dict[str, Any] = {
            "max_tokens": self.llm.max_output_tokens,
            "timeout": self.llm.timeout_s,  # the first word may take that long; a stall is found below
            "cache": {"messages": False},
        }
        if find_provider(self.name) == "openai":
            settings["openai_prompt_cache_key"] = key
        if self.llm.temperature is not None:
            settings["temperature"] = self.llm.temperature
        arrived = received = 0  # characters of text, and of everything
        most = max(LEAST_MOST, MOST_PER_TOKEN * self.llm.max_output_tokens)
        begun = False
        try:
            async with model_request_stream(model, [message], model_settings=settings) as stream:  # type: ignore[arg-type]
                begun = True
                events = aiter(stream)
                stall_s = max(LEAST_STALL_S, self.llm.timeout_s * OPEN_SHARE)
                while True:
                    try:
                        async with asyncio.timeout(stall_s):
                            event = await anext(events)
                    except StopAsyncIteration:
                        break
                    except TimeoutError:
                        raise _StreamStalled(f"stopped in the middle of its answer for {stall_s:.3g} s") from None
                    stall_s = max(LEAST_STALL_S, self.llm.timeout_s * STALL_SHARE)
                    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                        arrived += len(event.delta.content_delta)
                        writing(arrived)
                    received += _count_characters(event)
                    if received > most:
                        raise _StreamTooLong(f"wrote more than {most:,} characters, and was cut off")
                response = stream.get()
        except BaseException:
            if begun:  # it was working for us, and will be billed; nobody told us how much
                self._count(spent, len(prompt) // CHARACTERS_PER_TOKEN, arrived // CHARACTERS_PER_TOKEN)
            raise
        text = "".join(part.content for part in response.parts if part.part_kind == "text")
        u = response.usage
        if u.input_tokens or u.output_tokens:
            self._count(spent, *_normalize_usage(u))
        else:
            self._count(spent, len(prompt) // CHARACTERS_PER_TOKEN, len(text) // CHARACTERS_PER_TOKEN)
        clean = self.scrub(text)
        return Completion(clean, response.finish_reason, clean != text)

    def _count(
        self, spent: Usage, tokens_in: int, tokens_out: int, cache_read: int = 0, cache_written: int = 0
    ) -> None:
        used = Usage(
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            cache_read_tokens=cache_read,
            cache_write_tokens=cache_written,
        )
        price = compute_price_usd(self.name, used)
        if price is None:
            used.unpriced_tokens = used.tokens
        else:
            used.cost_usd = price
        spent.add(used)


def _count_characters(event: Any) -> int:
    """How much an event of a stream brought: text, thoughts, calls of tools."""
    brought = getattr(event, "delta", None) or getattr(event, "part", None)
    texts = (getattr(brought, name, None) for name in ("content_delta", "args_delta", "content", "args"))
    return sum(len(text) for text in texts if isinstance(text, str))


def _normalize_usage(u: Any) -> tuple[int, int, int, int]:
    """Reported usage as whole numbers from 0, with no more from a cache than was read: else it would have no price,
    and no budget could bind it."""
    input_tokens, output_tokens = max(0, int(u.input_tokens)), max(0, int(u.output_tokens))
    cached = min(input_tokens, max(0, int(u.cache_read_tokens)))
    return input_tokens, output_tokens, cached, min(input_tokens - cached, max(0, int(u.cache_write_tokens)))


def _identify_fault(error: Exception, timeout_s: float, scrub: Callable[[str], str]) -> _Fault:
    """What a failed request means for us, by the library's own classes."""
    if why := _explain_unsendable(error):
        return _Fault(f"takes no request: {why}", hopeless=True)

    def clean_detail(e: Exception) -> str:
        return " ".join(scrub(_extract_message(e)).split())[:DETAIL_MAX]  # a key is hidden before it can be cut in two

    template = next(fault for kinds, fault in _list_faults(error) if isinstance(error, kinds))
    status = getattr(error, "status_code", None)
    code, root = f" ({status})" if status else "", clean_detail(_find_root_cause(error))
    words = {"code": code, "root": root, "code_or_root": code or f": {root}", "detail": clean_detail(error)}
    cause = template.cause.format(own=error, kind=type(error).__name__, timeout_s=timeout_s, **words)
    return replace(template, cause=cause, after_s=getattr(error, "retry_after", None))


def _list_faults(error: Exception) -> tuple[tuple[Any, _Fault], ...]:
    """What each class means; the first that fits counts, because the library's classes inherit from each other."""
    from pydantic_ai import exceptions as x

    # A connection that was never made may be made next time; an answer that took too long will again.
    unconnected = x.ModelTimeoutError if getattr(error, "phase", None) in ("connect", "pool") else ()
    broken = _Fault("could not be reached, or the connection broke: {root}", again=True)
    late = (TimeoutError, x.ModelRequestTimeout, x.ModelTimeoutError)
    return (
        (_StreamStalled, _Fault("{own}", again=True)),
        (_StreamTooLong, _Fault("{own}")),
        (unconnected, broken),
        (late, _Fault("did not answer within {timeout_s:g} s", timed_out=True)),
        (x.ModelAuthenticationError, _Fault("refused the key{code}: {detail}", hopeless=True)),
        (x.ModelNotFoundError, _Fault("does not know this model or address{code}: {detail}", hopeless=True)),
        (
            x.ModelQuotaExceededError,
            _Fault("says that the account's quota or credit is used up{code}: {detail}", hopeless=True),
        ),
        (x.ModelContextWindowExceededError, _Fault("says that the prompt is too long for it{code}")),
        (x.ModelRequestRejectedError, _Fault("refused the request{code}: {detail}")),
        (x.ModelRateLimitError, _Fault("limits the rate of requests{code}", again=True)),
        (x.ModelUnavailableError, _Fault("is overloaded{code}", again=True)),
        (x.ModelConnectionError, broken),
        (x.ModelAPIError, _Fault("had a fault of its own{code_or_root}", again=True)),
        (Exception, _Fault("sent what is not an answer: {kind}: {detail}", again=True)),
    )


def _explain_unsendable(error: Exception) -> str | None:
    """Why no request can ever leave with this key or this address, or None. The words are ours: theirs show the key."""
    for e in _list_causes(error):
        name = type(e).__name__
        if name in ("UnsupportedProtocol", "InvalidURL"):
            return "its address is not a URL that begins with http:// or https://"
        ascii_only = isinstance(e, UnicodeEncodeError) and e.encoding == "ascii"  # a header; a body is UTF-8
        refused = name in ("LocalProtocolError", "ValueError") and "header" in str(e).lower()  # by httpx, by aiohttp
        if ascii_only or refused:
            return "its key holds a character that no key has, such as a line's end"
    return None


def _list_causes(error: BaseException) -> list[Exception]:
    """`error` and what lies under it, the deepest last."""
    causes: list[Exception] = []
    cause: BaseException | None = error
    while isinstance(cause, Exception) and cause not in causes:
        causes.append(cause)
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return causes


def _find_root_cause(error: Exception) -> Exception:
    """What says most: client libraries say "Connection error." over a refused connection, a name, a certificate."""
    return next((e for e in reversed(_list_causes(error)) if str(e).strip()), error)


def _extract_message(error: Exception) -> str:
    """The provider's own words, or the library's."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str) and message:
            return message
    return str(error)
