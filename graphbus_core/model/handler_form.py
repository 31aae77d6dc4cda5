"""What a handler is called with, and which of its parameters takes the payload: decided here alone, from its signature.

Source (`analysis.scan.hints`), live functions (`type_hints`) and the runtime (`subscriptions.handlers`) each describe
the parameters in the words of `HandlerParameter` and ask `choose_form`. So a build and a run cannot read one handler
in two ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum

PAYLOAD_NAME = "payload"
HANDLER_FORMS = (
    "A handler takes nothing, (payload), (event: Event) or (topic, payload), and further parameters only with defaults."
)
_BY_POSITION = ("positional_only", "positional_or_keyword")


class Form(StrEnum):
    """What a handler is called with. The values are the letters of a plan (`runtime.plan`)."""

    NOTHING = "n"
    PAYLOAD = "p"
    EVENT = "e"
    TOPIC_AND_PAYLOAD = "t"


class Hint(Enum):
    """What a parameter's annotation speaks of, as far as that decides what it is given."""

    NONE = "nothing"  # there is none, or it says nothing (`Any`, `object`)
    EVENT = "the event"
    MAPPING = "a dict"
    OTHER = "anything else"


@dataclass(frozen=True)
class HandlerParameter:
    """One parameter, `self` left out. `kind` is as `inspect` says it; `is_text`: it is annotated `str`."""

    name: str
    kind: str
    required: bool
    hint: Hint = Hint.NONE
    is_text: bool = False


@dataclass(frozen=True)
class HandlerForm:
    """A decision. `payload` names the parameter that takes the payload whole, where one does. Where no event fits,
    `refusal` says why."""

    form: Form = Form.EVENT
    payload: str | None = None
    refusal: str = ""


def choose_form(parameters: Sequence[HandlerParameter], *, alone: Form) -> HandlerForm:
    """What a handler with these parameters is called with. `alone` is what a single parameter without annotation gets:
    the payload in a node's method, the event in a plain callable (seed 002 §5.4).
    """
    positional = [p for p in parameters if p.kind in _BY_POSITION]
    takes_any = any(p.kind == "var_positional" for p in parameters)
    required = [p for p in positional if p.required]
    if refusal := _explain_impossible(parameters, required, takes_any or bool(positional)):
        return HandlerForm(refusal=refusal)
    if len(required) == 2:
        return HandlerForm(Form.TOPIC_AND_PAYLOAD, required[1].name)
    if not positional:
        return HandlerForm(alone if takes_any else Form.NOTHING)
    form = choose_single_form(positional[0], alone, several=len(positional) > 1 or takes_any)
    return HandlerForm(form, positional[0].name if form is Form.PAYLOAD else None)


def choose_single_form(first: HandlerParameter, alone: Form, *, several: bool = False) -> Form:
    """What the one parameter that must be filled gets; `several`: others follow it, which have defaults."""
    if first.hint is Hint.EVENT:
        return Form.EVENT
    if first.name == PAYLOAD_NAME or first.hint is Hint.MAPPING or (first.hint is Hint.OTHER and alone is Form.PAYLOAD):
        return Form.PAYLOAD
    return Form.EVENT if several else alone


def _explain_impossible(
    parameters: Sequence[HandlerParameter], required: Sequence[HandlerParameter], by_position: bool
) -> str:
    """Why no event fits, or nothing: the bus gives by position, and gives one thing or two."""
    if keyword_only := [p.name for p in parameters if p.kind == "keyword_only" and p.required]:
        return f"it must be given {', '.join(keyword_only)} by name"
    if parameters and not by_position:
        return "it takes nothing by position"
    if len(required) > 2:
        return f"it must be given {len(required)} arguments"
    if len(required) == 2 and required[0].name != "topic" and not required[0].is_text:
        return f"it must be given both {required[0].name} and {required[1].name}"
    return ""
