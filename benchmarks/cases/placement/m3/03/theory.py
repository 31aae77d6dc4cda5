NAMES = "C C# D D# E F F# G G# A A# B".split()
FLATS = {"Db": "C#", "Eb": "D#", "Gb": "F#", "Ab": "G#", "Bb": "A#"}

MODES = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "pentatonic": (0, 2, 4, 7, 9),
}

CHORDS = {
    frozenset((0, 4, 7)): "",
    frozenset((0, 3, 7)): "m",
    frozenset((0, 3, 6)): "dim",
    frozenset((0, 4, 8)): "aug",
    frozenset((0, 4, 7, 10)): "7",
    frozenset((0, 3, 7, 10)): "m7",
    frozenset((0, 4, 7, 11)): "maj7",
}


def pitch(name):
    name = FLATS.get(name, name)
    return NAMES.index(name)


def scale(root, mode):
    start = pitch(root)
    return [NAMES[(start + step) % 12] for step in MODES[mode]]
