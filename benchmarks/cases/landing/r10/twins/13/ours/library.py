"""A music library with tags."""
from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Track:
    title: str
    tags: set = field(default_factory=set)


class Library:
    def __init__(self):
        self.tracks = {}
        self._counts = None

    def add(self, title, *tags):
        self.tracks[title] = Track(title, set(tags))
        self._counts = None

    def tag(self, title, tag):
        self.tracks[title].tags.add(tag)
        self._counts = None

    def untag(self, title, tag):
        self.tracks[title].tags.discard(tag)
        self._counts = None

    def tag_counts(self):
        """How many tracks have each tag; counted again only after a change."""
        if self._counts is None:
            self._counts = dict(Counter(tag for track in self.tracks.values() for tag in track.tags))
        return self._counts
