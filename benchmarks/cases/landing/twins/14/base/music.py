from dataclasses import dataclass


@dataclass
class Song:
    title: str
    seconds: int = 0
    bpm: int = 120


def total(songs):
    return sum(s.seconds for s in songs)
