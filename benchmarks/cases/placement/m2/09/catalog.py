from collections import Counter, defaultdict
from types import MappingProxyType

TRACKS = MappingProxyType({
    "t1": ("Blue in Green", "Miles", 337, {"jazz", "modal", "slow"}),
    "t2": ("So What", "Miles", 562, {"jazz", "modal"}),
    "t3": ("Giant Steps", "John", 286, {"jazz", "fast", "bop"}),
    "t4": ("Army of Me", "Bjork", 234, {"electronic", "dark"}),
    "t5": ("Teardrop", "Massive", 330, {"electronic", "slow", "dark"}),
    "t6": ("Angel", "Massive", 379, {"electronic", "dark", "trip"}),
})

audience: defaultdict[str, Counter] = defaultdict(Counter)
audience["t1"].update(ann=3, bob=1)
audience["t2"].update(ann=1)
audience["t4"].update(cyd=5)


def listeners(track: str) -> list[str]:
    return [name for name, _ in audience[track].most_common()]


def artist(track: str) -> str:
    return TRACKS[track][1] if track in TRACKS else "unknown"
