"""The engine under all three negotiations: protocol, session, driver, participants, logs. It knows no proposal."""

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr
from graphbus_core.negotiation.core.ports import Answers, Entry, Log, Participant, Reply, View
from graphbus_core.negotiation.core.protocol import (
    UNREADABLE,
    Answered,
    AnswerRefused,
    Applied,
    Apply,
    Ask,
    Elapsed,
    Event,
    Json,
    NegotiationProtocol,
    Result,
    Silent,
    Wait,
    Want,
    collect_event_types,
    make_unreadable,
)
from graphbus_core.negotiation.core.session import Feed, Session

if TYPE_CHECKING:
    from graphbus_core.negotiation.core.driver import Driver

__all__ = [
    "UNREADABLE",
    "AnswerRefused",
    "Answered",
    "Answers",
    "Applied",
    "Apply",
    "Ask",
    "Driver",
    "Elapsed",
    "Entry",
    "Event",
    "Feed",
    "Json",
    "Log",
    "NegotiationProtocol",
    "Participant",
    "Reply",
    "Result",
    "Session",
    "Silent",
    "View",
    "Wait",
    "Want",
    "collect_event_types",
    "make_unreadable",
]

if not TYPE_CHECKING:  # the driver needs asyncio, which costs a short command a fifth of its time
    __getattr__ = make_lazy_getattr(
        __name__,
        {
            "graphbus_core.negotiation.core.driver": "Driver",
        },
    )
