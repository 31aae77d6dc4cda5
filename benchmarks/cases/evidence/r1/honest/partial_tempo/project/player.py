from functools import partial

from music import Metronome, Score


def ticker(piece):
    header = Score().header(piece)
    return partial(Metronome().tick, tempo=header["bpm"])


if __name__ == "__main__":
    print(ticker("march")()["seconds"])
