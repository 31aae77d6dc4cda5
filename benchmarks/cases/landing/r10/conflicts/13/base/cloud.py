"""Tag cloud for the front page."""


def cloud(library, limit=3):
    """The most used tags, most used first."""
    counts = library.tag_counts()
    return sorted(counts, key=lambda tag: (-counts[tag], tag))[:limit]
