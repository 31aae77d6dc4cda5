"""A long text in pages, each of whole lines where the lines allow it. Pure."""

from __future__ import annotations

PAGE = 20_000  # characters: what a reader takes in at once, about 5,000 tokens


def split_pages(text: str, size: int = PAGE) -> list[str]:
    """The pages, at least one; put together they are the text."""
    pages: list[str] = []
    start = 0
    while len(text) - start > size:
        # At the last end of a line that fits; a line longer than a page is cut where the page ends.
        end = text.rfind("\n", start, start + size) + 1 or start + size
        pages.append(text[start:end])
        start = end
    return [*pages, text[start:]]
