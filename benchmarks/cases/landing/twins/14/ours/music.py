from dataclasses import dataclass


@dataclass
class Song:
    title: str
    seconds: int = 0


def total(songs):
    return sum(s.seconds for s in songs)
