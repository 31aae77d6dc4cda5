"""A script of answers, per agent and per kind of question, and three mouths that speak it.

script = Script({
    ("Fetcher", "propose"): {"proposals": [...]},               # a body: becomes a fenced json block
    ("*", "evaluate"): [{"decision": "reject", ...}, {"decision": "accept", ...}],   # first time, second time
    ("Cleaner", "*"): Turn("I would rather not.", delay_s=0.5), # raw text, slow
    ("*", "arbitrate"): lambda call: rule(call),                # computed
})
script.participant("Fetcher")          # sits at the table itself: no model library near
Table.of(llm, opener=script.open)      # behind pydantic-ai, as a FunctionModel
ModelServer(script)                    # behind HTTP, as Anthropic or OpenAI would answer
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphbus_core.config import LLMConfig
from graphbus_core.negotiation.core import Ask, Participant, Reply, View
from graphbus_core.participants.llm import answer_reader
from graphbus_core.participants.llm.prompts import build_prompt, find_question, parse_addressee

ANY = "*"


@dataclass(frozen=True)
class Call:
    """One question as the scripted side sees it. `number` counts this agent's questions of this kind from 1."""

    agent: str
    kind: str
    number: int
    prompt: str
    model: str = ""


@dataclass(frozen=True)
class Turn:
    """What is answered, and how it goes wrong on the way.

    `delay_s` passes before the first byte, `drip_s` before each event of a stream.
    `status` (with `retry_after_s`) answers with that HTTP error; `fault` is one of FAULTS. `finish` is why the model
    stopped: `stop`, `length` or `content_filter`. Tokens are counted from characters where they are None.
    """

    text: str = ""
    delay_s: float = 0.0
    drip_s: float = 0.0
    status: int = 200
    retry_after_s: float | None = None
    message: str = ""
    fault: str | None = None
    finish: str = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None


FAULTS = (
    "close",  # the connection closes before a byte of the answer
    "cut",  # it closes in the middle of the stream
    "stall",  # the stream stops and the connection stays open
    "garbage",  # a 200 whose body is not JSON
    "garbage_stream",  # a stream whose events are not JSON
    "error_event",  # a stream that ends in the provider's error event
)

ScriptedAnswer = Turn | Mapping[str, Any] | str
Line = ScriptedAnswer | Sequence[ScriptedAnswer] | Callable[[Call], ScriptedAnswer]


def fenced(body: Mapping[str, Any], **code: str) -> str:
    """An answer's text: `body` as a json block, and each keyword as a labelled block that the body calls `"@label"`."""
    parts = ["```json\n" + json.dumps(body, ensure_ascii=False, indent=1) + "\n```"]
    parts += [f"~~~~python {label}\n{text}\n~~~~" for label, text in code.items()]
    return "\n\n".join(parts)


class Script:
    """Answers by (agent, kind); `"*"` stands for any. The most particular line wins; a list's last turn repeats."""

    def __init__(self, lines: Mapping[tuple[str, str], Line], otherwise: Line | None = None) -> None:
        self.lines = dict(lines)
        self.otherwise = otherwise
        self.calls: list[Call] = []
        self._numbers: dict[tuple[str, str], int] = {}

    def turn(self, agent: str, kind: str, prompt: str, model: str = "") -> Turn:
        """The next turn for this question. A question that no line answers gets prose that says so."""
        number = self._numbers[agent, kind] = self._numbers.get((agent, kind), 0) + 1
        call = Call(agent, kind, number, prompt, model)
        self.calls.append(call)
        line: Line | None = self.otherwise
        # The most particular line wins, so that a test can say "everybody accepts, but this one".
        for key in ((agent, kind), (agent, ANY), (ANY, kind), (ANY, ANY)):
            if key in self.lines:
                line = self.lines[key]
                break
        if line is None:
            # Prose and no error: a model may say anything, and what is tested is what becomes of it.
            return Turn(f"The script has no line for {agent}: {kind}.")
        if callable(line):
            line = line(call)
        elif isinstance(line, Sequence) and not isinstance(line, str):
            # The last turn repeats: an agent that is asked once more than expected should not change its mind.
            line = line[min(number, len(line)) - 1]
        return _convert_to_turn(line)

    def participant(self, name: str) -> Participant:
        """A seat that answers from this script, read and checked as a model's answers are."""
        return _Seat(name, self)

    def open(self, name: str, llm: LLMConfig) -> Any:
        """A pydantic-ai model that answers from this script: the `opener` of a Table."""
        from pydantic_ai.messages import ModelMessage
        from pydantic_ai.models.function import AgentInfo, FunctionModel

        async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
            text = "\n\n".join(_collect_texts(messages))
            turn = self.turn(*parse_addressee(text), text, name)
            await asyncio.sleep(turn.delay_s)
            _raise_fault(turn, name)
            yield turn.text or " "

        return FunctionModel(stream_function=stream, model_name=name.partition(":")[2])


@dataclass
class _Seat:
    name: str
    script: Script

    async def answer(self, ask: Ask, view: View) -> Reply:
        # Written and read as for a model, so that a script cannot say what a model could not.
        prompt = build_prompt(ask, tuple(view.facts), view.refused)
        turn = self.script.turn(self.name, ask.kind, prompt.text)
        await asyncio.sleep(turn.delay_s)
        if turn.status != 200 or turn.fault:
            return Reply(None, turn.message or turn.fault or f"HTTP {turn.status}")
        question = find_question(ask)
        schema = question[1].answer if question else ask.about.get("answer")
        return Reply(answer_reader.read_answer(turn.text, schema if isinstance(schema, Mapping) else {}, turn.finish))


def _convert_to_turn(scripted: ScriptedAnswer) -> Turn:
    if isinstance(scripted, Turn):
        return scripted
    return Turn(scripted if isinstance(scripted, str) else fenced(scripted))


def _collect_texts(messages: Sequence[Any]) -> list[str]:
    texts: list[str] = []
    for message in messages:
        if getattr(message, "instructions", None):
            texts.append(message.instructions)
        for part in message.parts:
            content = getattr(part, "content", "")
            texts += [content] if isinstance(content, str) else [c for c in content if isinstance(c, str)]
    return texts


def _raise_fault(turn: Turn, name: str) -> None:
    from pydantic_ai import exceptions as x

    if turn.status != 200:
        kinds: dict[int, Any] = {401: x.ModelAuthenticationError, 403: x.ModelAuthenticationError}
        kinds |= {404: x.ModelNotFoundError, 429: x.ModelRateLimitError, 500: x.ModelServerError}
        kinds |= {503: x.ModelUnavailableError, 529: x.ModelOverloadedError}
        raise x.ModelHTTPError.for_category(
            kinds.get(turn.status),
            status_code=turn.status,
            model_name=name,
            body={"error": {"message": turn.message}},
            retry_after=turn.retry_after_s,
        )
    if turn.fault:
        # A fault on the wire is the connection's, whatever the provider would have said.
        raise x.ModelConnectionError(name, f"scripted: {turn.fault}")


def slow(line: ScriptedAnswer, delay_s: float) -> Turn:
    """The same turn, so many seconds later."""
    return replace(_convert_to_turn(line), delay_s=delay_s)
