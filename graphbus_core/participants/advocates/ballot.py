"""Sealed ballots: what everybody could live with, told to all, without what anybody could live with.

    ballot of A + ballot of B + ballot of C  =  for each package: how good it is for all together, or noise

Pure: keys, names and numbers come in. Who commits and opens when stands in `negotiation.consent.shut_ballots`.
"""

# Theory of operation
# ===================
#
# What is wanted. Each advocate knows what every package is worth to it. The table wants the package with the
# greatest product of everybody's gains among those that all can live with. Nobody should learn anything else about
# anybody.
#
# Why words do not do. Any sentence from which the others can learn where to look is one from which a listener can
# learn what its speaker wants: with the earlier words of these advocates ("I could live with this, also with one
# change to ...") a listener rebuilt each speaker's scores with a correlation of .94. And whoever reads everybody's
# wants aloud before giving its own can ask for more than it needs, and give in at the last moment, at no risk.
#
# The sum. A product is greatest where the sum of logarithms is. So each advocate writes down one whole number a
# package: the logarithm of its gain. Only the sum over the advocates is needed, and a sum can be computed without
# showing what is added (Bonawitz et al. 2017, "Practical secure aggregation"): every two advocates share a secret
# stream of numbers; the first of the two adds it to its ballot, the second takes it away. A single ballot is then
# noise to everyone; added up, all the streams cancel. All arithmetic is modulo 2^64 (2^32 in tables of 0.2.0).
#
# The secrets. Each pair's stream comes from a Diffie-Hellman exchange: with its position every advocate states a
# public key (X25519, RFC 7748), and from the other's public key and its own secret one it computes what only the
# two of them can. The stream is SHAKE-256 of that, of both names, of the issues and of the number of the round.
#
# The red lines. Where a package crosses an advocate's red line or lies below its minimum, it writes noise of its
# own instead of a number. Then the sum is noise as well, and nobody learns who could not live with it, nor how
# many. Sums where all wrote numbers lie in a narrow window (n * 2^24 of 2^64 values), in which noise hardly ever
# falls. So the sum tells which packages everyone can live with, how good they are together, and
# nothing of all others.
#
# What it does not hide. The agreed deal itself; which packages lie in everybody's reach; the sum on those. With two
# advocates, whoever knows its own part of a sum knows the other's. A listener's correlation is measured in
# `benchmarks/consent.py`.
#
# Why a lie does not pay much. A ballot is cast once, and committed to before any other is open. Who claims to need
# more than it does makes the common ground smaller without knowing where it is; if nothing is left of it, there is no
# deal, and nobody opens the talk again. A lie pays where the ground is wide and costs everything where it is narrow. No
# rule is honest, efficient and balanced at once (Myerson and Satterthwaite 1983): this one is efficient among the
# honest, and leaves a liar with a gamble.
#
# What it is not. It protects words that are said aloud at one table, between seats that keep to the rules. X25519
# here is plain Python, not hardened against someone who times it on the same machine. Who runs the negotiation has
# the scenario file, and can read everything.

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]  # unsigned, as wide as the scale says


@dataclass(frozen=True)
class Scale:
    """How fine a ballot is. `kind`: of its numbers. A level is 0 where nothing is gained, else from `lowest`."""

    kind: str
    levels: int
    lowest: int


COARSE = Scale("<u4", 2048, 512)  # of 0.2.0: two packages may be one step apart that differ by .4 %
FINE = Scale("<u8", 1 << 24, 1 << 22)
FAINT = 0.002  # of its room: a smaller gain counts as this one
_P = 2**255 - 19
_A24 = 121665
BASE = (9).to_bytes(32, "little")


def x25519(secret: bytes, point: bytes) -> bytes:
    """The shared secret of a secret key and a public key (RFC 7748 section 5): Montgomery's ladder."""
    k = bytearray(secret)
    k[0] &= 248
    k[31] = (k[31] & 127) | 64
    scalar = int.from_bytes(k, "little")
    x1 = int.from_bytes(point, "little") & ((1 << 255) - 1)
    x2, z2, x3, z3, swap = 1, 0, x1, 1, 0
    for t in range(254, -1, -1):
        bit = scalar >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a % _P, b * b % _P, d * a % _P, c * b % _P
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % _P, x1 * (da - cb) ** 2 % _P
        x2, z2 = aa * bb % _P, e * (aa + _A24 * e) % _P
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, _P - 2, _P) % _P).to_bytes(32, "little")


def derive_public_key(secret: bytes) -> bytes:
    """The public key of a secret one."""
    return x25519(secret, BASE)


def derive_stream(secret: bytes, about: bytes, count: int, scale: Scale) -> Numbers:
    """That many numbers that nobody without the secret can tell from noise."""
    kind = np.dtype(scale.kind)
    drawn = hashlib.shake_256(len(secret).to_bytes(2, "big") + secret + about).digest(kind.itemsize * count)
    return np.frombuffer(drawn, dtype=kind)


def compute_levels(gains: NDArray[np.float64], scale: Scale) -> Numbers:
    """The logarithm of each gain (a share of one's room) in steps; gaining nothing lies far below any gain."""
    share = np.clip(gains, FAINT, 1.0)
    steps = scale.lowest + np.rint((scale.levels - 1 - scale.lowest) * (1 - np.log(share) / np.log(FAINT)))
    return np.where(gains > 1e-9, steps, 0).astype(scale.kind)


def mask_ballot(plain: Numbers, you: str, secret: bytes, keys: Mapping[str, bytes], about: bytes) -> Numbers:
    """The ballot: `plain`, with the stream that is shared with each other advocate added or taken away."""
    out = plain.copy()
    for name, key in keys.items():
        if name != you:
            low, high = sorted((you, name))
            shared = derive_stream(x25519(secret, key), f"{low}\0{high}\0".encode() + about, len(plain), COARSE)
            out = out + shared if you == low else out - shared
    return out


def add_masks(plain: Numbers, you: str, seeds: Mapping[str, str]) -> Numbers:
    """`plain`, with the mask of each seed added or taken away: of two seats that share one, the first by name adds."""
    out = plain.copy()
    for name, seed in seeds.items():
        mask = derive_stream(bytes.fromhex(seed), b"mask", len(plain), FINE)
        out = out + mask if you < name else out - mask
    return out


def combine_ballots(ballots: Mapping[str, Numbers]) -> Numbers:
    """The sum of everybody's ballots, in which all the streams cancel."""
    parts = list(ballots.values())
    total = parts[0].copy()
    for part in parts[1:]:
        total = total + part
    return total


def find_common_ground(total: Numbers, count: int, scale: Scale) -> NDArray[np.int64]:
    """Of each package the sum of everybody's levels, where all `count` could live with it; else -1."""
    within = total <= count * (scale.levels - 1)
    return np.where(within, total, 0).astype(np.int64) - ~within


def encode_ballot(numbers: Numbers, scale: Scale) -> str:
    """A ballot as text."""
    return base64.b85encode(numbers.astype(scale.kind).tobytes()).decode()


def decode_ballot(text: str, count: int, scale: Scale) -> Numbers | None:
    """The ballot that the text is, or None where it is not one of `count` numbers."""
    try:
        data = base64.b85decode(text.strip())
    except ValueError:
        return None
    kind = np.dtype(scale.kind)
    return np.frombuffer(data, dtype=kind) if len(data) == kind.itemsize * count else None
