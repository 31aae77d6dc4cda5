from itertools import product

BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODON = dict(zip(map("".join, product(BASES, repeat=3)), AMINO))
_PAIR = str.maketrans("ACGTN", "TGCAN")


def reverse_complement(s: str) -> str:
    return s.translate(_PAIR)[::-1]


def translate(s: str) -> str:
    return "".join(CODON.get(s[i:i + 3], "X") for i in range(0, len(s) - 2, 3))


def longest_orf(s: str) -> tuple[int, str]:
    best = (0, "")
    for strand in (s, reverse_complement(s)):
        for frame in range(3):
            for piece in translate(strand[frame:]).split("*"):
                start = piece.find("M")
                if start >= 0 and len(piece) - start > best[0]:
                    best = len(piece) - start, piece[start:]
    return best


def melting(primer: str) -> float:
    gc = sum(b in "GC" for b in primer)
    return 2.0 * (len(primer) - gc) + 4.0 * gc if len(primer) < 14 else round(64.9 + 41 * (gc - 16.4) / len(primer), 1)
