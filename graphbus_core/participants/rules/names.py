"""What two names say about each other. A likeness of names is no evidence; one name in two spellings is.

`same` is strict on purpose. Digits keep what parts them (`v1_1` is not `v11`), and a plural counts for collections and
texts alone: a number in the plural is another quantity (`second` and `seconds`, `day` and `days`).
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BETWEEN = re.compile(r"(?<!\d)[_\-\s]+|[_\-\s]+(?!\d)")

# Names that speak of whoever sends them: another stage's `id` or `count` is another value under the same name.
_BARE = """
id ids key keys uid uuid guid name names title label type kind category class group status state value values
code number no index position rank level score version date time timestamp day year created_at updated_at
modified_at created updated url uri path file text body content data payload result results response message
description comment count counts total totals subtotal sum size length amount balance average mean median min
max minimum maximum rate ratio percent hash checksum digest signature token source target owner user parent
"""
BARE = frozenset(_BARE.split())
# A class's own name without what only says that it is a class.
_ROLES = ("service", "node", "agent", "handler", "component", "store", "repository", "repo", "source", "provider")
_UNITS = (
    "g gram grams kg kilogram kilograms mg t lb lbs oz",
    "mm cm m km mi mile miles ft inch inches meter meters metre metres yard yards",
    "ms us ns s sec secs second seconds min mins minute minutes h hr hour hours day days week weeks month months",
    "eur usd gbp chf jpy cent cents cts pence dollar dollars euro euros",
    "c f k celsius fahrenheit kelvin",
    "b kb mb gb tb kib mib gib byte bytes bit bits",
    "net gross",
    "start end begin finish first last",
    "from to source target src dst sender receiver recipient origin destination",
    "in out input output inbound outbound incoming outgoing",
    "min max low high lower upper least most",
    "old new before after previous next prev current",
    "billing shipping delivery home work private office",
    "buy sell bid ask debit credit",
    "width height depth length x y z lat lon lng latitude longitude",
    "parent child left right top bottom",
    "given family full middle nick user display",
    "created updated modified deleted published due paid",
)
_SIDES = {word: number for number, line in enumerate(_UNITS) for word in line.split()}


def words(name: str) -> list[str]:
    """The words of a name, whatever parts them."""
    return [w for w in re.split(r"[_\-\s]+", _HUMP.sub("_", name).lower()) if w]


def same(a: str, b: str, plural: bool) -> bool:
    """Whether this is one name up to case, separators and, where `plural` is allowed, number."""
    one, other = _joined(a), _joined(b)
    if one == other:
        return True
    return plural and one not in BARE and (_singular(one) == other or one == _singular(other))


def _joined(name: str) -> str:
    return _BETWEEN.sub("", _HUMP.sub("_", name)).lower()


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes")) and len(word) > 4:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def own_prefix(producer: str, sent: str, taken: str) -> bool:
    """Whether `taken` is the producer's own name before `sent`: `Customer.get -> id` as `customer_id`.

    Never the other way round: `customer_id` is no other class's bare `id`.
    """
    owner = words(producer.rpartition(".")[2])
    while len(owner) > 1 and owner[-1] in _ROLES:
        owner = owner[:-1]
    return words(taken) == [*owner, *words(sent)]


def is_bare(name: str) -> bool:
    """Whether a name means something of whoever sends it, so that it changes its meaning from stage to stage."""
    return "_".join(words(name)) in BARE


def opposed(a: str, b: str) -> bool:
    """Whether two names differ in a unit, a side or a role: `weight_g` and `weight_kg`, `start_date` and `end_date`."""
    left, right = set(words(a)), set(words(b))
    mine, theirs = ({_SIDES[w] for w in some if w in _SIDES} for some in (left - right, right - left))
    return bool(mine & theirs)


def alike(a: str, b: str) -> float:
    """How alike two names are, 0 to 1. Good for an order among candidates and for nothing else."""
    left, right = ({_singular(w) for w in words(n)} for n in (a, b))
    shared = len(left & right) / min(len(left), len(right)) if left and right else 0.0
    return max(shared * 0.95, SequenceMatcher(None, a.lower(), b.lower()).ratio())
