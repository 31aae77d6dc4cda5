"""What of a sentence can be checked without understanding it: numbers with units, names, negation, bounds.

Pure functions over English text (seed 004's language). Honest paraphrases keep these and change the rest; so a text
that lacks one of them, or has its opposite, says something else. Where there is doubt, nothing is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core.negotiation.document.text import lexicon

_NUMBER = r"\d{4}-\d{2}-\d{2}|\d+(?::\d+)+|\d+(?:\.\d+){2,}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TOKEN = re.compile(
    rf"(?P<code>`[^`\n]+`)|(?P<money>[$€£])?(?<![\w.-])(?P<number>{_NUMBER})(?P<glued>[%]|[A-Za-zµ]{{1,5}}(?![\w]))?(?![\w])"
    r"|(?P<word>[^\W_][\w]*(?:[.'’/+#-][\w]+)*\+*)|(?P<bound>[≤≥<>]=?)"
)
_BOUND = re.compile("|".join(f"(?P<{kind}>{'|'.join(words)})" for kind, words in lexicon.BOUNDS), re.IGNORECASE)
_ATTRIBUTED = re.compile(
    r"(?i)\b(?:decided|agreed|settled|accepted|proposed|confirmed)(?:\s+with)?\s+by\s+[a-z][a-z0-9-]*\s*[:,.]?\s*"
)
_SEGMENT = re.compile(r"[;,()—–|]\s|\s[—–]\s|\s(?:and|but|while|whereas|plus)\s|[.!?]\s|\n", re.IGNORECASE)
REACH = 4  # words between a bound and the number it bounds


@dataclass(frozen=True, slots=True)
class Number:
    """One number: its value as text, its unit ("" for none or one that is not known), its bound ("max", "min", …)."""

    value: str
    unit: str = ""
    bound: str = ""


@dataclass(frozen=True)
class CheckableFacts:
    """What a text says that can be checked. `sides` are words that have an opposite, as (group, side)."""

    numbers: tuple[Number, ...] = ()
    names: frozenset[str] = frozenset()
    maybe: frozenset[str] = frozenset()  # a capital at the beginning of a sentence: a name, or only its first word
    negated: int = 0
    sides: frozenset[tuple[str, str]] = frozenset()
    markers: frozenset[str] = frozenset()  # only, unless, and rates such as "per day"
    words: frozenset[str] = field(default=frozenset(), compare=False)  # every word, in small letters


@lru_cache(maxsize=8192)
def facts(text: str) -> CheckableFacts:
    """The facts of a sentence or of several."""
    text = _ATTRIBUTED.sub(" ", text).replace("’", "'")
    lower = text.lower()
    numbers = _numbers(text)
    unbounded = _BOUND.sub(lambda m: " " * len(m[0]) if _near_number(lower, m) else m[0], lower)
    plain = lexicon.NOT_NEGATIONS.sub(" ", unbounded)
    words = frozenset(re.findall(r"[a-z0-9]+(?:[-'][a-z0-9]+)*", lower))
    names, maybe = _names(text)
    return CheckableFacts(
        tuple(numbers),
        names,
        maybe,
        len(lexicon.NEGATION.findall(plain)),
        frozenset(_sides(plain)),
        frozenset(_markers(plain)),
        words,
    )


def _numbers(text: str) -> list[Number]:
    """Every number, digits or words, with its unit and bound."""
    tokens = list(_TOKEN.finditer(text))
    found: list[Number] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        value, unit, used = _number_at(tokens, at)
        if value is None:
            at += 1
            continue
        end = tokens[at + used - 1].end()
        follows = tokens[at + used] if at + used < len(tokens) else None
        if not unit and text[end : end + 2].strip()[:1] == "%":
            unit = "percent"
        elif not unit and follows is not None and follows["word"] and not text[end : follows.start()].strip(" -"):
            unit = lexicon.unit(follows["word"])
            end = follows.end() if unit else end
        found.append(Number(value, unit, _bound(text.lower(), token.start(), end)))
        at += used
    return found


def _number_at(tokens: list[re.Match[str]], at: int) -> tuple[str | None, str, int]:
    """(value, unit, how many tokens) of the number that begins here; no value where none does."""
    token = tokens[at]
    if token["number"]:
        value, glued = token["number"].replace(",", ""), token["glued"] or ""
        if glued in ("k", "K") and value.isdecimal():
            return f"{value}000", "", 1
        unit = lexicon.MONEY.get(token["money"] or "", "") or (lexicon.unit(glued, True) if glued else "")
        return (None, "", 1) if glued and not unit else (value, unit, 1)  # 3DES is a name
    word = (token["word"] or "").lower()
    if word in lexicon.TIMES:
        return lexicon.TIMES[word], "time", 1
    if not word or (word in ("one", "single") and not _counted(tokens, at)):
        return None, "", 1
    return _spoken(tokens, at)


def _counted(tokens: list[re.Match[str]], at: int) -> bool:
    """Whether `one` is a number here, and no pronoun."""
    before = tokens[at - 1].group().lower() if at else ""
    after = tokens[at + 1].group().lower() if at + 1 < len(tokens) else ""
    return before not in lexicon.PRONOUN_BEFORE and after not in lexicon.PRONOUN_AFTER and after[:1].isalpha()


def _spoken(tokens: list[re.Match[str]], at: int) -> tuple[str | None, str, int]:
    """A number in words: twenty-four, one hundred and five."""
    total, current, used = 0, 0, 0
    while at + used < len(tokens) and used < 6:
        word = (tokens[at + used]["word"] or "").lower()
        values = [lexicon.NUMBER_WORDS.get(part, -1) for part in word.split("-")]
        if min(values) < 0:
            follows = tokens[at + used + 1]["word"] if at + used + 1 < len(tokens) else None
            if word == "and" and current >= 100 and (follows or "").lower() in lexicon.NUMBER_WORDS:
                used += 1
                continue
            break
        for value in values:
            if value >= 1000:
                total, current = total + max(1, current) * value, 0
            else:
                current = max(1, current) * 100 if value == 100 else current + value
        used += 1
    return (str(total + current), "", used) if used else (None, "", 1)


def _near_number(lower: str, bound: re.Match[str]) -> bool:
    """Whether a word such as `over` bounds a number here, rather than prefers one thing to another."""
    behind = re.findall(r"[\w.$€%-]+", lower[bound.end() : bound.end() + 40])[:REACH]
    if bound[0] in lexicon.CLOSE:
        return any(_counts(w) for w in behind[:1])
    ahead = re.findall(r"[\w.$€%-]+", lower[max(0, bound.start() - 40) : bound.start()])[-REACH:]
    return any(_counts(w) for w in behind) or any(_counts(w) for w in ahead)


def _counts(word: str) -> bool:
    return any(c.isdigit() for c in word) or word.split("-")[0] in lexicon.NUMBER_WORDS


def _bound(lower: str, start: int, end: int) -> str:
    """What bounds the number that stands here: words before it, or directly behind it."""
    begin = max(lower.rfind(c, 0, start) for c in ".;!?\n")
    before = lower[max(begin + 1, start - 60) : start]
    found = ""
    for match in _BOUND.finditer(before):
        between = before[match.end() :]
        reach = 1 if match[0] in lexicon.CLOSE else REACH
        if len(between.split()) < reach and not re.search(r"\d", between) and "," not in between:
            found = str(match.lastgroup)
    if found and found.removesuffix("_after") == found:
        return found
    behind = lower[end : end + 40]
    for match in _BOUND.finditer(behind):
        between = behind[: match.start()]
        after = behind[match.end() : match.end() + 14]
        if len(between.split()) >= REACH or re.search(r"[\d.;,]", between):
            break
        if match[0] in lexicon.POSTFIX and not re.match(r"\s*\d", after):
            return str(match.lastgroup).removesuffix("_after")
    return found.removesuffix("_after")


def _names(text: str) -> tuple[frozenset[str], frozenset[str]]:
    names: set[str] = set()
    maybe: set[str] = set()
    first = True
    last = 0
    tokens = list(_TOKEN.finditer(text))
    for n, token in enumerate(tokens):
        gap = text[last : token.start()]
        first = first or re.search(r"[.!?:]\s|\n|^\s*[-*|#>]|\|", gap) is not None or '"' in gap
        last = token.end()
        if token["code"]:
            names.add(token["code"].strip("`").lower())
        elif (word := token["word"]) is not None:
            kind = _name_kind(word, first, tokens[n + 1] if n + 1 < len(tokens) else None)
            if kind:
                (names if kind == "sure" else maybe).add(folded(word))
        elif (
            token["number"] and token["glued"] and not lexicon.unit(token["glued"], True) and token["glued"] not in "kK"
        ):
            names.add(token.group().lower())
        first = False
    return frozenset(names), frozenset(maybe)


def folded(word: str) -> str:
    """A name as it is compared: without case, plural or possessive."""
    word = word.lower()
    for end in ("'s", "'"):
        word = word.removesuffix(end)
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


def _name_kind(word: str, first: bool, after: re.Match[str] | None) -> str:
    """ "sure" for a name, "maybe" for a word at the beginning of a sentence that may be one, "" for any other."""
    bare = word.rstrip("'")
    low = bare.lower()
    if low in lexicon.NO_NAMES or low in lexicon.NUMBER_WORDS or lexicon.unit(bare):
        return ""
    if _looks_like_a_name(bare, low):
        return "sure"
    if not bare[:1].isupper():
        return ""
    if not first or low in lexicon.KNOWN_NAMES:
        return "sure"
    if low in lexicon.STARTERS or _with_s(low) or low.endswith("ing"):
        return ""
    following = (after["word"] or "").lower() if after is not None else ""
    return "maybe" if following in lexicon.AUXILIARIES or _with_s(following) else ""


def _looks_like_a_name(bare: str, low: str) -> bool:
    """Whether its letters alone say so: digits, capitals inside, a path, an acronym, a known small name."""
    if any(c.isdigit() for c in bare) or "_" in bare or re.search(r"[a-z][A-Z]|\w[./]\w|[+#]$", bare):
        return True
    return (len(bare) > 1 and bare.isupper() and low not in lexicon.EMPHASISED) or low in lexicon.SMALL_NAMES


def _with_s(word: str) -> bool:
    """A plural, or a verb of the third person; not `class`."""
    return word.endswith("s") and not word.endswith("ss")


def _sides(plain: str) -> Iterator[tuple[str, str]]:
    for group, side, pattern in lexicon.SIDES:
        if pattern.search(plain):
            yield group, side


def _markers(plain: str) -> Iterator[str]:
    if lexicon.ONLY.search(plain):
        yield "only"
    if lexicon.SOME.search(plain):
        yield "some"
    if lexicon.UNLESS.search(plain):
        yield "unless"
    for match in lexicon.RATES.finditer(plain):
        unit = next(g for g in match.groups() if g)
        yield f"per {lexicon.RATE_WORDS.get(unit) or lexicon.unit(unit)}"


def segments(text: str) -> list[str]:
    """The parts of a text in which what is said of one thing stands together: clauses, items, cells."""
    return [part for part in (p.strip() for p in _SEGMENT.split(text)) if part]
