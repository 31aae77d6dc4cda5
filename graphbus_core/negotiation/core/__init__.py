"""The engine under all three negotiations: protocol, session, driver, participants, logs. It knows no proposal."""

from typing import TYPE_CHECKING

from graphbus_core.late import late_names
from graphbus_core.negotiation.core.feed import Feed
from graphbus_core.negotiation.core.log import Answers, Entry, Log, Reply
from graphbus_core.negotiation.core.participant import Participant, View
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
    facts_of,
    unreadable,
)
from graphbus_core.negotiation.core.session import Session

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
    "facts_of",
    "unreadable",
]

if not TYPE_CHECKING:  # the driver needs asyncio, which costs a short command a fifth of its time
    __getattr__ = late_names(__name__, {"graphbus_core.negotiation.core.driver": "Driver"})
