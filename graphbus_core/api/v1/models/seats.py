"""What is told to, and asked of, a coding agent at the table."""

from __future__ import annotations

from pydantic import Field

from graphbus_core.api.v1.models.common import Strict, Told
from graphbus_core.api.v1.models.negotiations import Question
from graphbus_core.workspace.does import LEAST_S, MOST_S, USUAL_S


class ClaimRequest(Strict):
    """`to`: the agent to speak for; without it, whoever is asked."""

    to: str | None = Field(default=None, max_length=200, examples=["CleanerService"])
    lease_s: float = Field(
        default=USUAL_S, ge=LEAST_S, le=MOST_S, description="Unanswered by then, it counts as silence."
    )


class Claim(Told):
    """A question that is yours for `lease_s` seconds. `lease` is the token to answer, renew or give it back with."""

    question: Question | None = None
    lease: str | None = None
    lease_s: float | None = None


class File(Told):
    """A file that may be read. `id` is its path."""

    id: str
    path: str = Field(examples=["agents/cleaner.py"])
    bytes: int


class Text(Told):
    """A part of a file, of so many `characters` in all. `next`: the offset to go on at."""

    path: str
    text: str
    characters: int
    next: int | None = None
