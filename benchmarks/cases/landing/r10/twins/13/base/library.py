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

    def add(self, title, *tags):
        self.tracks[title] = Track(title, set(tags))

    def tag(self, title, tag):
        self.tracks[title].tags.add(tag)

    def untag(self, title, tag):
        self.tracks[title].tags.discard(tag)

    def tag_counts(self):
        """How many tracks have each tag."""
        return dict(Counter(tag for track in self.tracks.values() for tag in track.tags))
