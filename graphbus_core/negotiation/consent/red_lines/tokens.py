"""The words of a sentence, and what of the table begins at each: issues, options, numbers with units, dates.

Pure. Nothing is decided here: where a word can be two things, both are told, and the grammar keeps what makes sense.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from graphbus_core.negotiation.consent.scenario.model import Issue

# First and last day, as ordinals; "day" where its month was not said.
Period = tuple[int, int, str]
_WORD = re.compile(r"\d{4}-\d\d-\d\d|\d[\d.,]*\d|\d|[^\W\d_]+(?:-[^\W\d_]+)*|[<>]=?|=|[≤≥%€$£°+,;:./()?!-]", re.UNICODE)
_SHORT = {
    "can't": "can not", "cannot": "can not", "cant": "can not", "won't": "will not", "wont": "will not",
    "shan't": "shall not", "dont": "do not", "doesnt": "does not", "isnt": "is not", "mustnt": "must not",
    "shouldnt": "should not", "wouldnt": "would not", "couldnt": "could not", "im": "i am", "ill": "i will",
    "let's": "let us", "gotta": "have to", "gonna": "going to", "w/o": "without", "ok": "fine", "okay": "fine",
}  # fmt: skip
_ENDINGS = (("n't", " not"), ("'m", " am"), ("'re", " are"), ("'ll", " will"), ("'ve", " have"), ("'d", " would"))
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
)
ONES = {word: n for n, word in enumerate([*_ONES.split(), "eighteen", "nineteen"])} | {"fiver": 5, "tenner": 10}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS = {w: 10 * n for n, w in enumerate(_TENS.split(), 2)}
SCALES = {"hundred": 100, "thousand": 1_000, "grand": 1_000, "k": 1_000, "million": 1_000_000, "dozen": 12}
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
    "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
ORDINALS = {w: n for n, w in enumerate(_ORDINALS.split(), 1)}
# Parts of a whole: of a hundred, where something at the table is counted in percent, else of the unit behind.
PARTS = {
    "half": 1 / 2,
    "third": 1 / 3,
    "quarter": 1 / 4,
    "fifth": 1 / 5,
    "sixth": 1 / 6,
    "eighth": 1 / 8,
    "tenth": 1 / 10,
}
CURRENCIES = {
    "eur": "eur euro euros €", "usd": "usd dollar dollars $ buck bucks", "gbp": "gbp pound pounds £ quid",
    "chf": "chf franc francs",
}  # fmt: skip
CURRENCY = {word: code for code, words in CURRENCIES.items() for word in words.split()}
# What one of a unit is of another; a time, a length or a coin may be said in either.
UNITS: Mapping[str, Mapping[str, float]] = {
    "minute": {"minute": 1, "hour": 1 / 60},
    "hour": {"hour": 1, "minute": 60},
    "day": {"day": 1, "week": 1 / 7, "night": 0},
    "week": {"week": 1, "day": 7, "night": 7},
    "fortnight": {"week": 2, "day": 14, "night": 14},
    "month": {"month": 1, "year": 1 / 12},
    "year": {"year": 1, "month": 12},
    "metre": {"cm": 100, "m": 1, "metre": 1},
    "meter": {"cm": 100, "m": 1, "meter": 1},
    "m": {"cm": 100, "m": 1},
    "cent": {"eur": 0.01, "usd": 0.01},
    "pence": {"gbp": 0.01},
    "lux": {"lux": 1},
    "decade": {"year": 10, "month": 120},
    "gigabyte": {"gb": 1},
    "gig": {"gb": 1},
    "gb": {"gb": 1},
    "terabyte": {"gb": 1000, "tb": 1},
    "tb": {"gb": 1000},
    "mb": {"mb": 1},
    "megabyte": {"mb": 1},
    "sqm": {"sqm": 1},
    "decibel": {"db": 1},
    "db": {"db": 1},
    "kilometre": {"km": 1},
    "kilometer": {"km": 1},
    "km": {"km": 1, "m": 1000},
    "kilo": {"kg": 1},
    "kg": {"kg": 1},
    "degree": {"°c": 1, "c": 1},
    "milligram": {"mg": 1},
}
PERSONS = frozenset({"person", "people", "guest", "head", "plate", "each", "adult", "participant"})
MONTHS = {name.lower(): n for names in (calendar.month_name, calendar.month_abbr) for n, name in enumerate(names) if n}
WEEKDAYS = {name.lower(): n for names in (calendar.day_name, calendar.day_abbr) for n, name in enumerate(names)}
del MONTHS["sep"]
MONTHS |= {"sept": 9, "sep": 9}
# Where people differ in what it means, each way: it is read where all come to the same.
PARTS_OF_A_MONTH: Mapping[str, Sequence[tuple[int, int]]] = {
    "end of": [(-1, -1), (-7, -1), (-11, -1)], "late": [(-7, -1), (-11, -1), (16, -1)], "last day of": [(-1, -1)],
    "start of": [(1, 1), (1, 7), (1, 10)], "beginning of": [(1, 1), (1, 7), (1, 10)], "first day of": [(1, 1)],
    "early": [(1, 7), (1, 10), (1, 15)], "mid": [(15, 15), (10, 20)], "middle of": [(15, 15), (10, 20)],
    "first half of": [(1, 15)], "second half of": [(16, -1)], "first week of": [(1, 7)], "last week of": [(-7, -1)],
}  # fmt: skip
OF_NAMES = {"the", "a", "an", "of", "in", "on", "at", "and", "or", "no", "not", "with", "to", "for", "by", "per"}


@dataclass(frozen=True)
class Number:
    """A number as it was said. `unit`: the word behind it or the currency, in the singular; "" where there is none.

    `rate`: what it is per (`a night`, `in total`), in the singular.
    """

    value: float
    unit: str = ""
    rate: str = ""


def split_words(text: str) -> list[str]:
    """The words and signs of a sentence, in small letters, contractions written out."""
    plain = text.casefold().replace("’", "'").replace("‘", "'").replace("–", "-").replace("—", " , ")
    plain = re.sub(r"\b(?:square met(?:re|er)s?|sq\.? ?m|m²|m2)(?!\w)", "sqm", plain)
    plain = re.sub(r"\bmid-(?=[a-z])", "mid ", plain)
    plain = re.sub(r"(\d)-(?=[a-z])", r"\1 ", plain)
    plain = re.sub(r"\b(\d{1,3})((?: \d{3})+)\b", lambda m: m[1] + m[2].replace(" ", ""), plain)
    words = []
    for chunk in plain.split():
        core = chunk.strip('"“”„«»()')
        bare = core.rstrip(".,;:!?")
        tail = "" if bare in ("max", "min", "approx") else core[len(bare) :]
        spelled = _SHORT.get(bare, bare)
        for ending, full in _ENDINGS:
            spelled = spelled.removesuffix(ending) + full if spelled.endswith(ending) else spelled
        if spelled.endswith("'s"):
            spelled = spelled[:-2] + (" is" if spelled[:-2] in _BEFORE_IS else "")
        words += [w for word in _WORD.findall(f"{spelled}{tail}") for w in _split_compound(word)]
    return words


def _split_compound(word: str) -> list[str]:
    """`five-year` in two: a number and what it counts."""
    number, dash, rest = word.partition("-")
    return [number, rest] if dash and rest not in ONES and (number in ONES or number in TENS) else [word]


_BEFORE_IS = {"it", "that", "there", "what", "he", "she", "here", "where"}


def trim(word: str) -> str:
    """The word in the singular, roughly: two forms of one word become the same."""
    for ending, short in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 2 and not word.endswith("ss"):
            return word[: -len(ending)] + short
    return word


# Names of the table: whole, or by a word that belongs to one name alone.


def find_names(
    words: Sequence[str],
    start: int,
    names: Sequence[tuple[str, ...]],
    no_names: frozenset[str] = frozenset(),
    plural: bool = False,
) -> list[tuple[int, int]]:
    """(end, which) of every name that begins here: whole ones, else those that this word alone stands for.

    `no_names`: words that say something of their own, so that none of them stands for a name that it is a part of.
    `plural`: whether more than one may be said of a name: `tickets` of the ticket price.
    """
    trimmed = [trim(w) for w in words[start : start + 12]]
    whole = [
        (start + len(name), n)
        for n, name in enumerate(names)
        if name and trimmed[: len(name)] == [trim(w) for w in name]
    ]
    if whole:
        longest = max(end for end, _ in whole)
        return [w for w in whole if w[0] == longest]
    if words[start] in OF_NAMES or words[start] in no_names or len(words[start]) < 3 or words[start][0].isdigit():
        return []
    # A part of a name stands for it as it is written: `nuts` is no `Nut roast`.
    own = {n for n, name in enumerate(names) if words[start] in name or (plural and trim(words[start]) in name)}
    return [(_take_more(trimmed, names[n], start), n) for n in sorted(own)]


def _take_more(trimmed: Sequence[str], name: Sequence[str], start: int) -> int:
    """How far words of this name go on."""
    parts = {trim(w) for w in name}
    length = 1
    while length < len(trimmed) and trimmed[length] in parts:
        length += 1
    return start + length


# Numbers.


def parse_digits(text: str) -> list[float]:
    """What digits with separators can mean: a dot or comma before three digits is one of thousands."""
    if not re.fullmatch(r"\d[\d.,]*", text) or text[-1] in ".,":
        return []
    groups = re.split(r"[.,]", text)
    if len(groups) == 1:
        return [float(text)]
    thousands = len(groups[0]) <= 3 and groups[0] != "0" and all(len(g) == 3 for g in groups[1:])
    if thousands and len(set(re.findall(r"[.,]", text))) == 1:
        return [float("".join(groups))]
    if len(groups) == 2:
        return [float(".".join(groups))]
    return [float("".join(groups[:-1]) + "." + groups[-1])]


def find_numbers(words: Sequence[str], start: int) -> list[tuple[int, float]]:
    """(end, value) of the longest number that begins here, in digits or in words."""
    total, current, end, has_any = 0.0, 0.0, start, False
    while end < len(words):
        word = words[end]
        digits = parse_digits(word) if not has_any else []
        if digits:
            current, has_any = digits[0], True
        elif (small := _parse_small(word)) is not None and (not has_any or _may_follow(words[end - 1], word)):
            current, has_any = current + small, True
        elif word in SCALES and (has_any or current or word in ("hundred", "thousand", "dozen")):
            scale = SCALES[word]
            current = max(current, 1.0) * scale
            if scale >= 1_000:
                total, current = total + current, 0.0
            has_any = True
        elif word == "a" and end + 1 < len(words) and words[end + 1] in SCALES and not has_any:
            current = 1.0
        elif not (word == "and" and has_any and end + 1 < len(words) and words[end - 1] in ("hundred", "thousand")
                  and _parse_small(words[end + 1]) is not None):  # fmt: skip
            break
        end += 1
    if not has_any:
        return []
    if words[end : end + 3] == ["and", "a", "half"]:
        half = SCALES.get(words[end + 3], 1) if end + 3 < len(words) else 1
        return [(end + 3 + (half > 1), (total + current + 0.5) * half)]
    return [(end, total + current)]


def _parse_small(word: str) -> int | None:
    tens, _, ones = word.partition("-")
    if tens in TENS and ones in ONES:
        return TENS[tens] + ONES[ones]
    return ONES.get(word, TENS.get(word))


def _may_follow(before: str, word: str) -> bool:
    return before in ("hundred", "thousand", "and", "k", "grand") or (before in TENS and ONES.get(word, 99) < 10)


def find_amounts(words: Sequence[str], start: int, units: set[str]) -> list[tuple[int, Number]]:
    """(end, number) of the amounts that begin here, with a currency or one of these units before or behind it."""
    code = CURRENCY.get(words[start], "")
    first = start + 1 if code else start
    out = []
    for end, value in find_numbers(words, first) if first < len(words) else []:
        out.append((end, Number(value, code)) if code else _take_unit(words, end, value, units))
    out += _find_parts_of(words, start, units)
    one = {"a": 1.0, "an": 1.0, "one": 1.0, "half": 0.5}.get(words[start])
    after = start + 1 + (words[start + 1 : start + 2] == ["a"] or words[start + 1 : start + 2] == ["an"])
    if one is not None and after < len(words) and (trim(words[after]) in UNITS or words[after] in UNITS):
        end, amount = after + 1, Number(one, trim(words[after]))
        if words[end : end + 3] == ["and", "a", "half"]:
            end, amount = end + 3, Number(one + 0.5, amount.unit)
        out.append((end, amount))
    return out + [(end, Number(n.value, n.unit, rate)) for at, n in out for end, rate in _find_rate(words, at)]


def _find_parts_of(words: Sequence[str], start: int, units: set[str]) -> list[tuple[int, Number]]:
    """Half, a quarter, two thirds, half a million, a quarter of a year."""
    count = {"a": 1, "an": 1, "one": 1, "half": 0}.get(words[start], ONES.get(words[start], -1))
    at = start + (count > 0)
    part = words[at] if at < len(words) else ""
    name = trim(part) if count > 1 else part
    if count < 0 or name not in PARTS or (count == 0 and words[start] != "half"):
        return []
    value, end = max(count, 1) * PARTS[name], at + 1
    rest = list(words[end : end + 3])
    for lead in (["of", "a"], ["of", "an"], ["a"], ["an"]):
        unit = rest[len(lead) : len(lead) + 1]
        if (
            rest[: len(lead)] == lead
            and unit
            and (unit[0] in SCALES or trim(unit[0]) in units or trim(unit[0]) in UNITS)
        ):
            stop = end + len(lead) + 1
            return [
                _take_unit(words, stop, value * SCALES[unit[0]], units)
                if unit[0] in SCALES
                else (stop, Number(value, trim(unit[0])))
            ]
    return [(end, Number(round(100 * value, 9), "%"))] if "%" in units else []


def _take_unit(words: Sequence[str], end: int, value: float, units: set[str]) -> tuple[int, Number]:
    word = words[end] if end < len(words) else ""
    if word == "per" and words[end + 1 : end + 2] == ["cent"]:
        return end + 2, Number(value, "%")
    if word == "°":
        return end + 1 + (words[end + 1 : end + 2] == ["c"]), Number(value, "degree")
    if word in CURRENCY:
        return end + 1, Number(value, CURRENCY[word])
    if word in ("%", "percent"):
        return end + 1, Number(value, "%")
    if trim(word) in units or trim(word) in UNITS:
        return end + 1, Number(value, trim(word))
    return end, Number(value)


def _find_rate(words: Sequence[str], start: int) -> list[tuple[int, str]]:
    """(end, per what) that follows an amount: `a month`, `per head`, `each`, `in total`."""
    if words[start : start + 1] == ["each"] or words[start : start + 1] == ["apiece"]:
        return [(start + 1, "each")]
    if words[start : start + 2] in (["in", "total"], ["all", "in"]) or words[start : start + 1] in (
        ["altogether"],
        ["overall"],
    ):
        return [(start + 1 + (words[start] in ("in", "all")), "total")]
    if words[start : start + 1] and words[start] in ("a", "an", "per", "/") and start + 1 < len(words):
        return [(start + 2, trim(words[start + 1]))] if words[start + 1].isalpha() else []
    return []


# Dates. A year that is not said is every year in which the table has a day.


def find_periods(words: Sequence[str], start: int, days: Sequence[date]) -> list[tuple[int, Period]]:
    """(end, first and last day) of what begins here."""
    years = sorted({d.year for d in days})
    out: list[tuple[int, Period]] = []
    for end, day, month, year in _find_calendar(words, start):
        for y in [year] if year else years:
            for m in [month] if month else sorted({d.month for d in days if d.year == y}):
                out += [(end, (*period, "" if month else "day"))] if (period := _build_period(y, m, day)) else []
    if re.fullmatch(r"\d{4}", words[start]) and int(words[start]) in years:
        year = int(words[start])
        out.append((start + 1, (date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal(), "")))
    return out + _find_parts(words, start, years)


def _find_calendar(words: Sequence[str], start: int) -> Iterable[tuple[int, int, int, int]]:
    """(end, day, month, year), 0 for what is not said."""
    word = words[start]
    if match := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", word):
        yield start + 1, int(match[3]), int(match[2]), int(match[1])
        return
    if match := re.fullmatch(r"(\d{1,2})\.(\d{1,2})(?:\.(\d{4}))?", word):
        dot = start + 1 < len(words) and words[start + 1] == "."
        yield start + 1 + dot, int(match[1]), int(match[2]), int(match[3] or 0)
    if (
        word.isdigit()
        and words[start + 1 : start + 2] == ["/"]
        and start + 2 < len(words)
        and words[start + 2].isdigit()
    ):
        has_year = words[start + 3 : start + 4] == ["/"] and start + 4 < len(words)
        year_said = int(words[start + 4]) if has_year and words[start + 4].isdigit() else 0
        yield start + 3 + 2 * has_year, int(word), int(words[start + 2]), year_said
        yield start + 3 + 2 * has_year, int(words[start + 2]), int(word), year_said
    if word in MONTHS:
        end, day = _find_day(words, start + 1)
        for stop, which in ((end, day), (start + 1, 0)) if day else ((start + 1, 0),):
            last, year = _find_year(words, stop)
            yield last, which, MONTHS[word], year
    end, day = _find_day(words, start)
    if day:
        of = end + (words[end : end + 1] == ["of"])
        if of < len(words) and words[of] in MONTHS:
            last, year = _find_year(words, of + 1)
            yield last, day, MONTHS[words[of]], year
        elif end > start + 1 or word in ORDINALS:
            yield end, day, 0, 0


def _find_day(words: Sequence[str], start: int) -> tuple[int, int]:
    """A day of a month that begins here: 15, 15th, fifteenth; (start, 0) where there is none."""
    begin = start + (words[start : start + 1] == ["the"])
    if begin >= len(words):
        return start, 0
    word = words[begin]
    if word in ORDINALS:
        return begin + 1, ORDINALS[word]
    if word.isdigit() and 1 <= int(word) <= 31:
        has_ending = words[begin + 1 : begin + 2] and words[begin + 1] in ("st", "nd", "rd", "th")
        return begin + 1 + bool(has_ending), int(word)
    return start, 0


def _find_year(words: Sequence[str], start: int) -> tuple[int, int]:
    at = start + (words[start : start + 1] == [","])
    if at < len(words) and re.fullmatch(r"20\d\d", words[at]):
        return at + 1, int(words[at])
    return start, 0


def _build_period(year: int, month: int, day: int) -> tuple[int, int] | None:
    if not 1 <= month <= 12:
        return None
    last = calendar.monthrange(year, month)[1]
    if not day:
        return date(year, month, 1).toordinal(), date(year, month, last).toordinal()
    return (date(year, month, day).toordinal(),) * 2 if day <= last else None


def _find_quarters(words: Sequence[str], at: int) -> list[tuple[int, int]]:
    """(end, which) of a quarter of a year: `Q3`, `the third quarter`."""
    two = words[at : at + 2]
    if len(two) < 2:
        return []
    if two[0] == "q" and two[1] in ("1", "2", "3", "4"):
        return [(at + 2, int(two[1]))]
    which = 4 if two[0] == "last" else ORDINALS.get(two[0], 0)
    return [(at + 2, which)] if two[1] == "quarter" and 1 <= which <= 4 else []


def _find_parts(words: Sequence[str], start: int, years: Sequence[int]) -> list[tuple[int, Period]]:
    """The end, the start or a half of a month; a quarter."""
    at = start + (words[start] == "the")
    out: list[tuple[int, Period]] = []
    for end, quarter in _find_quarters(words, at):
        for y in years:
            last = calendar.monthrange(y, 3 * quarter)[1]
            span = date(y, 3 * quarter - 2, 1).toordinal(), date(y, 3 * quarter, last).toordinal()
            out.append((end, (*span, "")))
    if words[at : at + 1] == ["christmas"]:
        last, year = _find_year(words, at + 1)
        out += [(last, (date(y, 12, 25).toordinal(),) * 2 + ("",)) for y in ([year] if year else years)]
    named = next((at + len(p.split()) for p in PARTS_OF_A_MONTH if words[at : at + len(p.split())] == p.split()), 0)
    if not named or named >= len(words) or words[named] not in MONTHS:
        return out
    last, year = _find_year(words, named + 1)
    for y in [year] if year else years:
        first = date(y, MONTHS[words[named]], 1).toordinal()
        length = calendar.monthrange(y, MONTHS[words[named]])[1]
        for low, high in PARTS_OF_A_MONTH[" ".join(words[at:named])]:
            # A negative day counts from the end.
            days = [day - 1 if day > 0 else length + day for day in (low, high)]
            out.append((last, (first + days[0], first + days[1], "")))
    return out


def read_days(issue: Issue) -> tuple[date, ...]:
    """The options as days, where all are."""
    try:
        return tuple(date.fromisoformat(o.strip()) for o in issue.options)
    except ValueError:
        return ()
