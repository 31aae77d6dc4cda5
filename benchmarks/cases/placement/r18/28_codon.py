# pure
"""Keeps nothing: the codon table is built once from a constant and only read."""
from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from graphbus_core import GraphBusNode, subscribe

BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
TABLE = dict(zip(map("".join, product(BASES, repeat=3)), AMINO))
COMPLEMENT = str.maketrans("ACGT", "TGCA")
HEADER = re.compile(r"^>(?P<name>\S+)\s*(?P<note>.*)$")


def reverse_complement(dna: str) -> str:
    return dna.translate(COMPLEMENT)[::-1]


def codons(dna: str, frame: int) -> Iterator[str]:
    for start in range(frame, len(dna) - 2, 3):
        yield dna[start:start + 3]


def open_frames(dna: str) -> Iterator[str]:
    for strand in (dna, reverse_complement(dna)):
        for frame in range(3):
            protein: list[str] = []
            reading = False
            for codon in codons(strand, frame):
                acid = TABLE.get(codon, "X")
                if not reading:
                    reading = acid == "M"
                if reading and acid == "*":
                    yield "".join(protein)
                    protein.clear()
                    reading = False
                elif reading:
                    protein.append(acid)


class Translator(GraphBusNode):
    @subscribe("/Lab/Sequence")
    def on_fasta(self, text: str, min_length: int) -> dict[str, object]:
        head, _, body = text.strip().partition("\n")
        found = HEADER.match(head)
        if not found:
            return {"error": "no header"}
        dna = "".join(body.split()).upper().replace("U", "T")
        if not dna:
            return {"name": found["name"], "error": "empty"}
        proteins = sorted({p for p in open_frames(dna) if len(p) >= min_length}, key=lambda p: (-len(p), p))
        gc = (dna.count("G") + dna.count("C")) / len(dna)
        return {"name": found["name"], "proteins": proteins, "gc": round(gc, 3)}
