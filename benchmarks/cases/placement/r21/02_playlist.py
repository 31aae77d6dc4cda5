# pure
"""Keeps nothing: it writes a playlist from the event by a writer with nonlocal lines, made for each call."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


def make_writer() -> tuple[Callable[..., None], Callable[[], str]]:
    text = "#EXTM3U"

    def write(tag: str, *values: object, **attributes: object) -> None:
        nonlocal text
        fields = [str(value) for value in values]
        fields += [f"{name.upper().replace('_', '-')}={value}" for name, value in attributes.items()]
        text += f"\n#{tag}:{','.join(fields)}" if tag else "\n" + fields[0]

    return write, lambda: text + "\n"


def master(asset: str, rates: list[int]) -> str:
    write, finish = make_writer()
    for rate in sorted(rates):
        write("EXT-X-STREAM-INF", bandwidth=rate * 1000, average_bandwidth=rate * 850)
        write("", f"{asset}/{rate}/index.m3u8")
    return finish()


def media(asset: str, rate: int, durations: list[float], first: int) -> str:
    write, finish = make_writer()
    write("EXT-X-TARGETDURATION", max(map(round, durations), default=0))
    write("EXT-X-MEDIA-SEQUENCE", first)
    for number, duration in enumerate(durations, first):
        write("EXTINF", f"{duration:.3f}", "")
        write("", f"{asset}/{rate}/{number:05d}.m4s")
    return finish()


class Playlist(GraphBusNode):
    @subscribe("/Packager/MasterWanted")
    def on_master(self, asset: str, rates: list[int]) -> dict[str, str]:
        return {"asset": asset, "playlist": master(asset, rates)}

    @subscribe("/Packager/MediaWanted")
    def on_media(self, asset: str, rate: int, durations: list[float], first: int) -> dict[str, str]:
        return {"asset": asset, "playlist": media(asset, rate, durations, first)}
