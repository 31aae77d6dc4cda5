from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe
from theory import CHORDS, MODES, NAMES, pitch, scale


@lru_cache(maxsize=None)
def name_chord(pitches):
    for bass in pitches:
        shape = frozenset((p - bass) % 12 for p in pitches)
        if shape in CHORDS:
            return NAMES[bass] + CHORDS[shape]
    return "?"


class ChordNamer(GraphBusNode):
    @subscribe("/Notes")
    def notes(self, held: list[str]) -> dict:
        ordered = tuple(dict.fromkeys(pitch(n) for n in held))
        return {"chord": name_chord(ordered), "notes": len(ordered)}


class KeyFinder(GraphBusNode):
    @subscribe("/Melody")
    def melody(self, held: list[str]) -> list[str]:
        wanted = {pitch(n) for n in held}
        fits = []
        for mode in MODES:
            for root in NAMES:
                if wanted <= {pitch(n) for n in scale(root, mode)}:
                    fits.append(f"{root} {mode}")
        fits.sort(key=lambda k: (len(k), k))
        return fits[:4]
