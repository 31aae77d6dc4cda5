"""What a statement says, read so that two of them can be compared: words, quantities, names, order, force.

A row of a table is a claim for each of its cells, below the heading of its column; every other statement is one claim.
Only words of grammar, numbers and units are known by name, and nothing is known about the world. Pure.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphbus_core.negotiation.document.text.statements import Statement

STEM = 5  # characters of a word that count
SHORT = 3  # words up to this length join others, and name nothing

_NAME_LIKE = r"`[^`\n]+`|\b\w*[a-z][A-Z]\w*\b|\b\w+_\w+\b|\b[A-Z]\w*(?:-[A-Z]\w*)+\b"  # no word of a sentence
_TOKEN = re.compile(rf"(?P<name>{_NAME_LIKE})|(?P<number>\d+(?:[.,:/-]\d+)*)|[^\W\d_]+(?:['’][^\W\d_]+)?")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
DENIALS = frozenset(("not", "cannot"))  # of the verb; the others are as often said of what a verb forbids
_NEGATIONS = DENIALS | {"no", "never", "neither", "nor", "without", "none", "nobody", "nothing"}
DEMANDS, ALLOWS = frozenset(("must", "shall")), frozenset(("may", "can", "could", "might", "whether"))
_LATER = frozenset(("then", "afterwards", "later", "last", "second", "thereafter"))
_CLAUSE = re.compile(r"[,;:]|\band\b|(?=\bthen\b)")
_BY = re.compile(r"(\w+) by (?:the |an? )?([^\W\d_]+[^,.;:]*)")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_NUMBER_WORDS = {word: float(number) for number, word in enumerate(_ONES.split())}
_NUMBER_WORDS |= {word: 10.0 * number for number, word in enumerate(_TENS.split(), 3)}
_ENDINGS = {"five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
_NUMBER_WORDS |= {
    _ENDINGS.get(word) or (f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th"): number
    for word, number in _NUMBER_WORDS.items()
}
_NUMBER_WORDS |= {"noon": 12.0, "midnight": 12.0, "third": 3.0}
_TIMES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_SIGNS = {
    "%": " percent ",
    "°C": " celsius ",
    "°F": " fahrenheit ",
    "°": " degrees ",
    "€": " euros ",
    "$": " dollars ",
    "£": " pounds ",
}
_SIGN_FIRST = re.compile(r"([€$£])\s*(\d[\d.,]*)")
_PREFIXES = {"": 1.0, "micro": 1e-6, "milli": 1e-3, "centi": 1e-2, "deci": 0.1, "kilo": 1e3, "mega": 1e6, "giga": 1e9}
_PREFIXED = "metre meter litre liter gram watt volt amp joule hertz byte bit pascal lux second"
# Each unit with what it measures and how much of the first it is.
_UNITS: dict[str, tuple[str, float]] = {
    f"{prefix}{word}": (word.replace("ter", "tre"), factor)
    for word in _PREFIXED.split()
    for prefix, factor in _PREFIXES.items()
}
_UNITS |= {
    short: (what, factor)
    for what, shorts in {
        "metre": {
            "mm": 1e-3,
            "cm": 1e-2,
            "m": 1,
            "km": 1e3,
            "inch": 0.0254,
            "inche": 0.0254,
            "foot": 0.3048,
            "ft": 0.3048,
        },
        "litre": {"ml": 1e-3, "cl": 1e-2, "dl": 0.1, "l": 1, "pint": 0.57, "gallon": 4.5},
        "gram": {
            "mg": 1e-3,
            "g": 1,
            "kg": 1e3,
            "t": 1e6,
            "tonne": 1e6,
            "ton": 1e6,
            "ounce": 28.3,
            "oz": 28.3,
            "lb": 453.6,
        },
        "second": {"ms": 1e-3, "s": 1, "sec": 1, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "day": 86400},
        "celsius": {"celsius": 1, "fahrenheit": math.nan},
        "km/h": {"kmh": 1, "mph": 1.609, "knot": 1.852},
    }.items()
    for short, factor in shorts.items()
}
_UNITS |= {"feet": ("metre", 0.3048), "yard": ("metre", 0.9144), "mile": ("metre", 1609.0)}
_UNITS |= {"stone": ("gram", 6350.0), "hundredweight": ("gram", 50800.0)}
_UNITS |= {"week": ("second", 604800.0), "month": ("second", 2629800.0), "year": ("second", 31557600.0)}
_UNITS |= {"fortnight": ("second", 1209600.0)}
_MONEY = "euro eur dollar usd franc chf yen jpy krone krona sek dkk nok zloty pln rupee inr sterling gbp"
_UNITS |= {word: (f"money {word[0]}", 1.0) for word in _MONEY.split()}


@dataclass(slots=True)
class Claim:
    """One claim of a statement. What stands around it, in headings and in the sentence before, is its `context`."""

    statement: Statement
    words: list[str] = field(default_factory=list)  # stems in their order
    heading: frozenset[str] = frozenset()
    column: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()  # of the sentence before it, in its paragraph
    numbers: dict[float, str] = field(default_factory=dict)  # each with its unit, or what else follows it
    row: dict[float, str] = field(default_factory=dict)  # the numbers of all cells of its row, with their units
    names: set[str] = field(default_factory=set)
    begins: set[str] = field(default_factory=set)  # capital only because a sentence begins, as far as is seen here
    units: frozenset[str] = frozenset()  # the units that it names without a number
    negated: bool = False
    grammar: frozenset[str] = frozenset()  # its negations, demands and permissions
    earlier: frozenset[str] = frozenset()  # the beginnings of what is first, and of what comes after it
    later: frozenset[str] = frozenset()
    done: tuple[str, frozenset[str]] = ("", frozenset())  # what is done, and the words of who does it


def read_claims(statements: Sequence[Statement]) -> list[Claim]:
    """The claims of a document, in their order."""
    claims: list[Claim] = []
    columns: list[str] = []
    last = None
    for place, statement in enumerate(statements):
        cells = [cell.strip() for cell in statement.text.split(" | ")]
        follower = statements[place + 1] if place + 1 < len(statements) else None
        if len(cells) == 1:
            same = last is not None and last.line == statement.line and " | " not in last.text
            claims.append(_read(statement, statement.text, before=last.text if same and last else ""))
            columns = []
        elif not columns and follower is not None and " | " in follower.text and follower.line == statement.line + 2:
            columns = cells  # the line between stands under the heading of a table, and is no statement
        else:
            claims += _read_row(statement, cells, columns)
        last = statement
    return claims


def _read_row(statement: Statement, cells: Sequence[str], columns: Sequence[str]) -> Iterator[Claim]:
    row = [
        _read(statement, f"{cells[0]} : {cell}", column=columns[n] if n < len(columns) else "")
        for n, cell in enumerate(cells[1:], 1)
        if cell
    ]
    numbers = {number: unit for claim in row for number, unit in claim.numbers.items()}
    for claim in row:
        claim.row = numbers
        yield claim


def _read(statement: Statement, text: str, column: str = "", before: str = "") -> Claim:
    claim = Claim(statement)
    claim.heading, claim.column, claim.before = (
        frozenset(stem(word) for word in split_words(words)) for words in (statement.heading, column, before)
    )
    text = _SIGN_FIRST.sub(r"\2 \1", text)
    for sign, word in _SIGNS.items():
        text = text.replace(sign, word)
    low = text.lower().replace("’", "'")
    _read_tokens(claim, text)
    named = {unit for word in split_words(low) if (unit := _unplural(word)) in _UNITS and len(unit) > SHORT}
    claim.units = frozenset(named - {*claim.numbers.values()})
    low = low.replace("n't", " not")
    claim.grammar = (_NEGATIONS | DEMANDS | ALLOWS) & {*split_words(low)}
    claim.earlier, claim.later = _read_order(low)
    if by := _BY.search(low):
        claim.done = stem(by[1]), frozenset(stem(word) for word in split_words(by[2]) if len(word) > SHORT)
    return claim


def _read_tokens(claim: Claim, text: str) -> None:
    tokens = [*_TOKEN.finditer(text)]
    place = 0
    while place < len(tokens):
        match = tokens[place]
        values, used = _read_number(tokens, place)
        if values:
            place += used
            before = tokens[place - used - 1].group() if place > used else ""
            code = before.lower() if before.isupper() and before.lower() in _UNITS else ""  # EUR 4.80
            claim.numbers |= dict.fromkeys(values, code or _read_unit(tokens[place : place + 2]))
            continue
        place += 1
        word = match.group()
        if match["name"]:
            claim.names.add(word.strip("`").lower())
            claim.words += [stem(part) for part in split_words(word)]
            continue
        low = word.lower().replace("’", "'")
        if low in _NEGATIONS or low.endswith("n't"):
            claim.negated = not claim.negated
            continue
        claim.words.append(stem(low))
        if word[0].isupper() and len(word) > 1:
            before = text[: match.start()].rstrip("*_`\"'( ")
            within = (before and before[-1] not in ".:!?|-") or not (word[1:].islower() or word[1:].isupper())
            (claim.names if within else claim.begins).add(stem(low))


def _read_number(tokens: Sequence[re.Match[str]], place: int) -> tuple[list[float], int]:
    """The numbers that begin at a token, and how many tokens they take; no number for any other word."""
    words = [token.group().lower() for token in tokens[place : place + 4]] + [""] * 4
    if tokens[place]["number"]:
        values = _read_digits(words[0])
        ordinal = words[1] in ("st", "nd", "rd", "th") and tokens[place + 1].start() == tokens[place].end()
        if len(values) == 1 and words[1] in _TIMES:
            return [values[0] * _TIMES[words[1]]], 2
        return values, 1 + ordinal
    if words[0] in ("half", "quarter"):
        part = 0.5 if words[0] == "half" else 0.25
        if words[1] in ("past", "to") and (hour := _read_hour(words[2])) is not None:
            return [hour + part if words[1] == "past" else hour - part], 3
        return ([part], 2) if words[1] in ("a", "an", "of", "the") else ([], 0)
    if words[0] == "a" and words[1] in _TIMES:
        return [float(_TIMES[words[1]])], 2
    if words[0] not in _NUMBER_WORDS:
        return [], 0
    value, used = _NUMBER_WORDS[words[0]], 1
    if words[1] in ("past", "to") and value < 30 and (hour := _read_hour(words[2])) is not None:
        return [hour + (value if words[1] == "past" else -value) / 60], 3
    if words[1:4] == ["and", "a", "half"]:
        return [value + 0.5], 4
    if value >= 20 and value % 10 == 0 and 0 < _NUMBER_WORDS.get(words[1], 0) < 10:
        value, used = value + _NUMBER_WORDS[words[1]], 2
    while words[used] in _TIMES:
        value, used = value * _TIMES[words[used]], used + 1
    return [value], used


def _read_unit(tokens: Sequence[re.Match[str]]) -> str:
    """What stands behind a number; behind degrees their scale."""
    words = ["" if token["number"] else _unplural(token.group().lower()) for token in tokens] + ["", ""]
    unit = words[0] if words[0] != "degree" else words[1] if words[1] in _UNITS else ""
    if unit not in _UNITS and words[1] in _UNITS and len(words[1]) > SHORT:
        unit = words[1]  # Swiss francs, square metres
    return unit if len(unit) > 1 or unit in _UNITS else ""


def _read_hour(word: str) -> float | None:
    return float(word) if word.isdigit() else _NUMBER_WORDS.get(word)


def _read_digits(token: str) -> list[float]:
    """A number without the marks between its thousands; what a clock on the wall says; of a date each part."""
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", token):
        return [float(token.replace(",", ""))]
    if clock := re.fullmatch(r"(\d{1,2}):([0-5]\d)", token):
        return [(int(clock[1]) + 11) % 12 + 1 + int(clock[2]) / 60]
    parts = [part for part in re.split(r"[:/-]", token) if part]
    return [
        float(part) if part.count(".") < 2 and "," not in part else float(re.sub(r"\D", "", part)) for part in parts
    ]


def _read_order(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The beginnings of what is said to come first and of what is said to come after it, without those of both."""
    clauses = _CLAUSE.split(text)
    firsts = [clause for clause in clauses if "first" in split_words(clause)]
    laters = [clause for clause in clauses if _LATER & {*split_words(clause)}]
    if firsts or laters:
        firsts = firsts or [clause for clause in clauses if clause not in laters]
        earlier, later = " ".join(firsts), " ".join(clause for clause in clauses if clause not in firsts)
    elif match := re.search(r"\b(before|after|once)\b", text):
        around, behind = text[: match.start()], text[match.end() :]
        if not around.strip():
            behind, _, around = behind.partition(",")
        earlier, later = (around, behind) if match[1] == "before" else (behind, around)
    else:
        return frozenset(), frozenset()
    early, late = ({word[: SHORT + 1] for word in split_words(part)} for part in (earlier, later))
    return frozenset(early - late), frozenset(late - early)


def find_names(claims: Sequence[Claim]) -> None:
    """A word that has a capital within sentences, and is never small, is a name where one begins with it, too. Of the
    others that begin one, those stay that are never small: perhaps names."""
    known = {name for claim in claims for name in claim.names}
    small = {word for claim in claims for word in claim.words if word not in claim.names | claim.begins}
    for claim in claims:
        claim.names |= claim.begins & (known - small)
        claim.begins -= small


def drop_joints(claims: Sequence[Claim]) -> None:
    """Short words that many claims have join others, and say nothing about what comes first."""
    counts = Counter(word[: SHORT + 1] for claim in claims for word in {*claim.words})
    often = {word for word, count in counts.items() if len(word) <= SHORT and count > max(2, len(claims) / 15)}
    often |= _NEGATIONS | DEMANDS | ALLOWS | {"it", "them", "they", "that"}
    for claim in claims:
        claim.earlier, claim.later = claim.earlier - often, claim.later - often


def find_units(claims: Sequence[Claim]) -> None:
    """Take what follows a number for its unit only where it is known as one, or stands behind a number twice, and as
    often as every third time."""
    counts = Counter(word for claim in claims for word in claim.words)
    behind = Counter(stem(unit) for claim in claims for unit in claim.numbers.values())
    units = {unit for unit, count in behind.items() if count > 1 and 3 * count >= counts[unit]}
    for claim in claims:
        claim.numbers = {
            number: unit if unit in _UNITS or stem(unit) in units else "" for number, unit in claim.numbers.items()
        }


def is_same_unit(unit: str, other: str) -> bool:
    """Whether two words are one unit, or one is short for the other; nothing may be meant by none."""
    if not unit or not other or _UNITS.get(unit, unit) == _UNITS.get(other, other):
        return True
    if unit in _UNITS and other in _UNITS and len(min(unit, other, key=len)) > 2:
        return False
    short, long = sorted((unit, other), key=len)
    letters = iter(long)
    return short[0] == long[0] and all(letter in letters for letter in short)


def is_known_unit(unit: str) -> bool:
    """Whether it is a unit whatever the documents say."""
    return unit in _UNITS


def measures_same(unit: str, other: str) -> bool:
    """Whether two units measure one thing, as far as is known."""
    if unit not in _UNITS or other not in _UNITS:
        return True
    what, against = _UNITS[unit][0], _UNITS[other][0]
    return what == against or (what.startswith("money") and against.startswith("money"))


def is_same_quantity(first: float, unit: str, second: float, other: str) -> bool:
    """Whether two numbers say one thing, perhaps in two units: 24 months and 2 years."""
    if is_same_unit(unit, other):
        return math.isclose(first, second)
    if unit in _UNITS and other in _UNITS and _UNITS[unit][0] == _UNITS[other][0]:
        return math.isclose(first * _UNITS[unit][1], second * _UNITS[other][1], rel_tol=0.02)
    return False


def split_words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return [match.group().lower() for match in _WORD.finditer(text)]


def stem(word: str) -> str:
    """Endings say little: a word is its beginning."""
    word = word.partition("'")[0]
    return word[:STEM] if len(word) > STEM else word[:-1] if len(word) > 3 and word.endswith("s") else word


def _unplural(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and word != "celsius" else word
