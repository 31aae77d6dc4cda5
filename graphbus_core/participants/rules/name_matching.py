"""What two names say about each other. A likeness of names is not evidence; one name in two spellings is.

`same` is strict on purpose. Digits keep what parts them (`v1_1` is not `v11`). A plural counts for collections and
texts alone: a number in the plural is another quantity (`second` and `seconds`), and some words are another thing.
Where a separator or a letter's case can make another word of it (`resent` and `re_sent`, `mW` and `MW`), it is not the
same.
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
# A class's own name without what only says that it is a class. A store or a provider is a thing of its own: the name
# that `AppStore` gives is not an app's.
_ROLES = ("service", "node", "handler", "component", "repository", "repo")
# What may stand beside the verb in the name of a method that gives its own class's data: `load_one`, not `find_heir`.
_OWN_DATA = frozenset(
    """all one by id ids from to with for of in on up off out data info detail details record row item entry new now
    current and or list many single the a self me it this raw full""".split()  # noqa: SIM905
)
# Words that mean something else in the plural.
_PLURAL_ONLY = frozenset(
    """news goods customs arms terms glasses means lens savings contents directions returns spirits manners minutes
    papers forces waters works grounds remains earnings proceeds series species physics details quarters colors
    colours honors honours damages amends regards thanks brains looks premises scales tropics""".split()  # noqa: SIM905
)
# A first word that is a syllable of another word when nothing parts it: `re_sent`, `co_op`, `un_ionised`.
_SYLLABLES = frozenset(
    """re un co de dis in im ir il non no pre pro ex out over under up off on to a an be for may every now not the
    any""".split()  # noqa: SIM905
)
# Symbols whose case tells a thousand from a thousandth.
_CASED = frozenset(
    (
        "mw",
        "mb",
        "kb",
        "gb",
        "tb",
        "mib",
        "gib",
        "ma",
        "mv",
        "mhz",
        "hz",
        "mj",
        "ml",
        "mm",
        "mg",
        "ms",
        "ps",
        "pa",
        "mpa",
        "cal",
        "kcal",
        "nm",
        "s",
        "m",
        "g",
        "k",
        "b",
        "v",
        "w",
    )
)
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


def split_words(name: str) -> list[str]:
    """The words of a name, whatever parts them."""
    return [w for w in re.split(r"[_\-\s]+", _HUMP.sub("_", name).lower()) if w]


def is_same_name(a: str, b: str, plural: bool) -> bool:
    """Whether this is one name up to case, separators and, where `plural` is allowed, number."""
    joined_a, joined_b = _join_words(a), _join_words(b)
    if joined_a == joined_b:
        return not (_is_parted_anew(a, b) or _is_cased_anew(a, b))
    if (
        not plural
        or joined_a in BARE
        or {joined_a, joined_b, *split_words(a)[-1:], *split_words(b)[-1:]} & _PLURAL_ONLY
    ):
        return False
    return _make_singular(joined_a) == joined_b or joined_a == _make_singular(joined_b)


def _is_parted_anew(a: str, b: str) -> bool:
    """Whether a short word stands alone in the one name and is a syllable in the other."""
    words_a, words_b = split_words(a), split_words(b)
    return words_a != words_b and any(word in _SYLLABLES for word in {*words_a} ^ {*words_b})


def _is_cased_anew(a: str, b: str) -> bool:
    """Whether a symbol of a unit has capitals in both, in other places."""
    for symbol in _CASED:
        match_a, match_b = (re.search(rf"(?:(?<=_)|(?<=[a-z])(?=[A-Z])|(?<=\d)|^){symbol}$", n, re.I) for n in (a, b))
        if match_a and match_b and match_a[0] != match_b[0] and not (match_a[0].islower() or match_b[0].islower()):
            return True
    return False


def _join_words(name: str) -> str:
    return _BETWEEN.sub("", _HUMP.sub("_", name)).lower()


def _make_singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes")) and len(word) > 4:
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def has_own_prefix(producer: str, sent: str, accepted: str, method: str = "") -> bool:
    """Whether `taken` is the producer's own name before `sent`: `Customer.get -> id` as `customer_id`.

    Never the other way round: `customer_id` is not another class's bare `id`. Nor where the method speaks of somebody
    else: `Customer.find_heir -> id` is the heir's.
    """
    owner = split_words(producer.rpartition(".")[2])
    while len(owner) > 1 and owner[-1] in _ROLES:
        owner = owner[:-1]
    about = {_make_singular(w) for w in split_words(method)[1:]} - {
        _make_singular(w) for w in (*owner, *split_words(sent))
    }
    return split_words(accepted) == [*owner, *split_words(sent)] and about <= _OWN_DATA


def is_bare(name: str) -> bool:
    """Whether a name means something of whoever sends it, so that it changes its meaning from stage to stage."""
    return "_".join(split_words(name)) in BARE


def are_opposed(a: str, b: str) -> bool:
    """Whether two names differ in a unit, a side or a role: `weight_g` and `weight_kg`, `start_date` and `end_date`."""
    words_a, words_b = set(split_words(a)), set(split_words(b))
    mine, theirs = ({_SIDES[w] for w in some if w in _SIDES} for some in (words_a - words_b, words_b - words_a))
    return bool(mine & theirs)


def measure_likeness(a: str, b: str) -> float:
    """How alike two names are, 0 to 1. Good for an order among candidates and for nothing else."""
    words_a, words_b = ({_make_singular(w) for w in split_words(n)} for n in (a, b))
    shared = len(words_a & words_b) / min(len(words_a), len(words_b)) if words_a and words_b else 0.0
    return max(shared * 0.95, SequenceMatcher(None, a.lower(), b.lower()).ratio())
