"""What travels through the pipeline."""

from typing import TypedDict


class Headline(TypedDict):
    """One entry of a feed. What the feed does not say is an empty text."""

    title: str
    link: str
    summary: str
    published: str
