"""Seeded randomness, so that a replay gives the same game."""
import random
import zlib

table_rng = random.Random(20)


def roll(sides, rng=table_rng):
    return rng.randrange(sides) + 1


def seeded(text):
    return random.Random(zlib.crc32(text.encode()))
