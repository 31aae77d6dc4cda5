# pure
"""The codon table is built once from the standard string and never touched again."""
from itertools import product

from graphbus_core import GraphBusNode, subscribe

BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODE = {"".join(c): a for c, a in zip(product(BASES, repeat=3), AMINO)}
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def frames(seq):
    for strand, s in (("+", seq), ("-", seq.translate(COMPLEMENT)[::-1])):
        for shift in range(3):
            yield f"{strand}{shift + 1}", s[shift:]


def translate(seq):
    return "".join(CODE.get(seq[i:i + 3], "X") for i in range(0, len(seq) - 2, 3))


def open_reading(protein):
    best = ""
    for piece in protein.split("*")[:-1]:
        start = piece.find("M")
        if start >= 0 and len(piece) - start > len(best):
            best = piece[start:]
    return best


class Translator(GraphBusNode):
    @subscribe("/lab/sequence")
    def on_sequence(self, dna: str) -> dict:
        seq = "".join(dna.upper().split())
        orfs = {}
        for name, s in frames(seq):
            found = open_reading(translate(s))
            if found:
                orfs[name] = found
        gc = sum(map(seq.count, "GC"))
        return {
            "length": len(seq),
            "gc": round(100 * gc / len(seq), 1) if seq else None,
            "orfs": orfs,
            "longest": max(orfs.values(), key=len, default=""),
        }
