from itertools import product

BASES = "TCAG"
AMINO = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
TABLES = {
    1: {"".join(c): a for c, a in zip(product(BASES, repeat=3), AMINO)},
}
TABLES[2] = {**TABLES[1], "AGA": "*", "AGG": "*", "ATA": "M", "TGA": "W"}
active = 1


def translate(seq, table=None):
    codes = TABLES[table or active]
    return "".join(codes.get(seq[i:i + 3], "X") for i in range(0, len(seq) - len(seq) % 3, 3))


def reverse_complement(seq, _pairs=str.maketrans("ACGT", "TGCA")):
    return seq.translate(_pairs)[::-1]
