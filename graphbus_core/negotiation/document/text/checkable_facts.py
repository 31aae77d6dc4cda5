"""What of a sentence can be checked without understanding it: numbers with units, names, negation, bounds.

Pure functions over English text (seed 004's language). Honest paraphrases keep these and change the rest; so a text
that lacks one of them, or has its opposite, says something else. Where there is doubt, nothing is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

# The English words behind `checkable`: units, number words, bounds, opposites, words that are not names. Data only.


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_UNITS = {
    "day": "day days d",
    "hour": "hour hours h hr hrs",
    "minute": "minute minutes min mins",
    "second": "second seconds sec secs s",
    "millisecond": "millisecond milliseconds ms",
    "week": "week weeks wk",
    "month": "month months",
    "year": "year years yr yrs",
    "byte": "byte bytes",
    "kilobyte": "kilobyte kilobytes kb kib",
    "megabyte": "megabyte megabytes mb mib",
    "gigabyte": "gigabyte gigabytes gb gib",
    "terabyte": "terabyte terabytes tb tib",
    "percent": "percent % pct",
    "time": "times x time",
    "euro": "euro euros eur",
    "dollar": "dollar dollars usd",
    "pound": "gbp",
    "meter": "meter meters metre metres",
    "kilometer": "km kilometer kilometers kilometre kilometres",
    "pixel": "px pixel pixels",
    "core": "core cores",
    "character": "character characters chars",
    "line": "line lines",
    "request": "request requests",
}
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split()}
MONEY = {"$": "dollar", "€": "euro", "£": "pound"}


def find_unit(word: str, glued: bool = False) -> str:
    """The unit that a word is, "" for none. Single letters are units only where they are glued to a number."""
    low = word.lower().split("/")[0].split("-")[0].rstrip(".")
    if len(low) == 1 and not glued and low != "%":
        return ""
    return _UNIT_OF.get(low, "")


_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {word: n for n, word in enumerate(re.findall(r"\w+", _ONES))}
NUMBER_WORDS |= {word: 10 * n for n, word in enumerate(re.findall(r"\w+", _TENS), 2)}
NUMBER_WORDS |= {"hundred": 100, "thousand": 1000, "million": 1_000_000, "dozen": 12, "single": 1}
TIMES = {"once": "1", "twice": "2", "thrice": "3"}
PRONOUN_BEFORE = _split_words("no any every each this that which the another some everyone last next")
PRONOUN_AFTER = _split_words(
    "of another or and by that who which is was are to in on at for with can may must will has from as"
)

# What bounds a number. The longer forms first: "no more than" is no "more than".
BOUNDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "max",
        (
            r"\b(?:at (?:the )?most|(?:no|not) (?:more|longer|later|larger|higher|greater|older|bigger) than|up to",
            r"maximum(?: of)?|max\.?",
            r"(?:must |may |can |should |shall |do |does )?(?:not|never) (?:to )?exceed(?:s|ing)?",
            r"cannot exceed|within|limit(?:ed)?(?: is| of| to)|capped at|cap(?: is| of)|not (?:above|over)",
            r"upper (?:limit|bound) of",
            r"or (?:less|fewer|shorter|below))\b|≤|<=",
        ),
    ),
    (
        "min",
        (
            r"\b(?:at (?:the )?least|(?:no|not) (?:less|fewer|shorter|sooner|earlier|lower|smaller|younger) than",
            r"minimum(?: of)?|not (?:below|under)|lower (?:limit|bound) of",
            r"or (?:more|longer|above|older|higher))\b|≥|>=",
        ),
    ),
    (
        "gt",
        (
            r"\b(?:(?:more|greater|longer|larger|higher|older|bigger|later) than",
            r"over|above|exceed(?:s|ing)?|beyond)\b|>",
        ),
    ),
    ("lt", (r"\b(?:(?:less|fewer|shorter|smaller|lower|younger|sooner) than|under|below)\b|<",)),
)
POSTFIX = _split_words("maximum max minimum") | {
    "at most",
    "at the most",
    "at least",
    "at the least",
    "or less",
    "or fewer",
    "or more",
    "or longer",
    "or above",
    "or below",
    "or shorter",
    "or older",
    "or higher",
}

NEGATION = re.compile(
    r"\b(?:not|no|never|without|neither|nor|cannot|nobody|nothing|none|nowhere|\w*n't|lacks?"
    r"|stops? (?:being|using))\b"
)
NOT_NEGATIONS = re.compile(r"\b(?:not only|no matter|whether or not|no longer than|no\.? \d)")

# Groups of words of which one must not stand for another. Each group has sides.
_SIDES: dict[str, tuple[str, ...]] = {
    "allow": (
        r"allow(?:s|ed|ing)?|permit(?:s|ted)?",
        r"forbid(?:s|den)?|den(?:y|ies|ied)|prohibit(?:s|ed)?|disallow(?:s|ed)?|block(?:s|ed)?",
    ),
    "enable": (r"enabl(?:e|es|ed)|turned on|switched on", r"disabl(?:e|es|ed)|turned off|switched off"),
    "include": (r"includ(?:e|es|ed|ing)", r"exclud(?:e|es|ed|ing)"),
    "accept": (r"accept(?:s|ed)?", r"reject(?:s|ed)?|refus(?:e|es|ed)"),
    "must": (
        r"must|shall|required|mandatory|ha(?:s|ve) to|needs?|requires?|obligatory",
        r"may|optional(?:ly)?|might|voluntary|not (?:required|mandatory|obligatory)",
    ),
    "public": (r"public(?:ly)?", r"private(?:ly)?"),
    "internal": (r"internal(?:ly)?", r"external(?:ly)?"),
    "increase": (
        r"increas(?:e|es|ed|ing)|rais(?:e|es|ed)|grow(?:s|n)?",
        r"decreas(?:e|es|ed|ing)|reduc(?:e|es|ed)|shrink(?:s)?",
    ),
    "first": (r"first|earliest", r"last|latest"),
    "add": (r"add(?:s|ed)?|insert(?:s|ed)?", r"remov(?:e|es|ed)|delet(?:e|es|ed)|eras(?:e|es|ed)|purg(?:e|es|ed)"),
    "keep": (
        r"keep(?:s)?|kept|stay(?:s)?|retain(?:s|ed)?|preserv(?:e|es|ed)",
        r"delet(?:e|es|ed)|drop(?:s|ped)?|discard(?:s|ed)?|eras(?:e|es|ed)|purg(?:e|es|ed)|remov(?:e|es|ed)",
    ),
    "sync": (r"synchronous(?:ly)?|sync", r"asynchronous(?:ly)?|async"),
    "up": (r"upwards?|ascending|rising", r"downwards?|descending|falling"),
    "online": (r"online", r"offline"),
    "local": (r"local(?:ly)?|on-premises", r"remote(?:ly)?"),
    "early": (r"earlier|sooner", r"later"),
    "large": (r"larger|bigger|greater", r"smaller"),
    "high": (r"high|higher|highest", r"low|lower|lowest"),
    "fast": (r"fast|faster|fastest|quick(?:ly)?", r"slow|slower|slowest|slowly"),
    "old": (r"old|older|oldest", r"new|newer|newest"),
    "true": (r"true", r"false"),
    "start": (r"start(?:s|ed)?|begin(?:s)?|began", r"stop(?:s|ped)?|end(?:s|ed)?"),
    "open": (r"opened|opens", r"clos(?:e|es|ed)"),
    "encrypt": (r"encrypted", r"unencrypted|plaintext|in plain text|in the clear"),
    "manual": (r"manual(?:ly)?|by hand", r"automatic(?:ally)?"),
    "both": (r"both", r"either"),
    "more": (r"more", r"less|fewer"),
    "read": (r"read-only", r"writable|read-write"),
    "mutable": (r"mutable", r"immutable"),
    "strong": (r"strong(?:ly)?", r"weak(?:ly)?|eventual(?:ly)?"),
    "success": (r"succe(?:ss|eds?|ssful|ssfully)", r"fail(?:s|ed|ure|ures)?"),
    "and": (r"and|as well as", r"or"),
}


SIDES: tuple[tuple[str, str, re.Pattern[str]], ...] = tuple(
    (group, str(number), re.compile(rf"\b(?<!-)(?:{words})(?![\w-])"))
    for group, sides in _SIDES.items()
    for number, words in enumerate(sides)
)

ONLY = re.compile(r"\b(?:only(?! (?:after|when|if|once))|solely|exclusively|nobody but|no one but|nothing but)\b")
SOME = re.compile(r"\b(?:some|few|several|sometimes|occasionally|partly|rarely|seldom)\b")
CLOSE = _split_words("over above under below beyond")  # they bound a number only where it follows directly
UNLESS = re.compile(r"\b(?:unless|except(?: for| when| if)?|apart from)\b")
RATE_WORDS = {
    "hourly": "hour",
    "daily": "day",
    "nightly": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
    "night": "day",
    "quarter": "quarter",
}
_PER = r"second|minute|hour|day|night|week|month|quarter|year"
RATES = re.compile(
    rf"\b(?:per|every|each|once an?|once each|an? (?=hour\b|minute\b)) ?({_PER})\b"
    rf"|\b(hourly|daily|nightly|weekly|monthly|quarterly|yearly"
    rf"|annually)\b|/({_PER}|min|sec|s|h|d)\b|\d [a-z]+ an? ({_PER})\b|\btimes an? ({_PER})\b"
)

KNOWN_NAMES = _split_words(
    """redis kubernetes jenkins postgres memcached kafka docker python rust java go ruby node django flask react vue
    angular nginx apache linux windows ubuntu debian terraform ansible prometheus grafana elasticsearch cassandra
    dynamo mongo sqlite mysql oracle stripe paypal github gitlab slack jira alice bob carol dave eve google amazon
    azure heroku celery rabbitmq nats vault consul etcd envoy istio swift kotlin scala typescript javascript berlin
    london paris monday tuesday wednesday thursday friday saturday sunday january february march april june july
    august september october november december english french german spanish"""
)
SMALL_NAMES = _split_words(
    """gzip zstd bzip2 brotli npm pip docker kubernetes redis postgres postgresql mysql mariadb sqlite kafka nginx
    systemd cron bash zsh git jenkins grafana prometheus terraform ansible rabbitmq memcached celery django flask
    webpack vite yarn pnpm pytest mypy ruff curl ssh bcrypt scrypt argon2 md5 utf-8 json yaml toml csv xml protobuf
    grpc graphql jwt oauth saml markdown html pdf"""
)
NO_NAMES = _split_words(
    """i a an the we you it they he she this that these those there here our your their its my and or but so if when
    while because since although though as at by for from in into of on onto out over to under up with within without
    not no never none nobody nothing neither nor every each all any some both either only also then than too very yes ok
    please"""
)
EMPHASISED = _split_words("must shall should may not never always only and or all any no yes ok will can todo note")
STARTERS = NO_NAMES | _split_words(
    """agreed decision decided proposal proposed position issue final topic summary note first second third finally
    however therefore thus hence instead otherwise moreover further furthermore meanwhile after before during until once
    whenever where what which who how why one two three four five six seven eight nine ten access storage data state
    code documentation production staging monitoring everyone everybody anyone anybody someone another other
    nothing something everything whoever whatever version everything authentication authorization encryption compression
    validation configuration deployment traffic support money memory content output input email feedback"""
)
AUXILIARIES = _split_words("is was will must may should can could has had shall would might does did cannot")


_NUMBER = r"\d{4}-\d{2}-\d{2}|\d+(?::\d+)+|\d+(?:\.\d+){2,}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TOKEN = re.compile(
    rf"(?P<code>`[^`\n]+`)|(?P<money>[$€£])?(?<![\w.-])(?P<number>{_NUMBER})(?P<glued>[%]|[A-Za-zµ]{{1,5}}(?![\w]))?(?![\w])"
    r"|(?P<word>[^\W_][\w]*(?:[.'’/+#-][\w]+)*\+*)|(?P<bound>[≤≥<>]=?)"
)
_BOUND = re.compile("|".join(f"(?P<{kind}>{'|'.join(words)})" for kind, words in BOUNDS), re.IGNORECASE)
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
def extract_facts(text: str) -> CheckableFacts:
    """The facts of a sentence or of several."""
    text = _ATTRIBUTED.sub(" ", text).replace("’", "'")
    lower = text.lower()
    numbers = _extract_numbers(text)
    unbounded = _BOUND.sub(lambda m: " " * len(m[0]) if _is_near_number(lower, m) else m[0], lower)
    plain = NOT_NEGATIONS.sub(" ", unbounded)
    words = frozenset(re.findall(r"[a-z0-9]+(?:[-'][a-z0-9]+)*", lower))
    names, maybe = _extract_names(text)
    return CheckableFacts(
        tuple(numbers),
        names,
        maybe,
        len(NEGATION.findall(plain)),
        frozenset(_find_sides(plain)),
        frozenset(_find_markers(plain)),
        words,
    )


def _extract_numbers(text: str) -> list[Number]:
    """Every number, digits or words, with its unit and bound."""
    tokens = list(_TOKEN.finditer(text))
    numbers: list[Number] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        value, unit, used = _read_number(tokens, index)
        if value is None:
            index += 1
            continue
        end = tokens[index + used - 1].end()
        follows = tokens[index + used] if index + used < len(tokens) else None
        if not unit and text[end : end + 2].strip()[:1] == "%":
            unit = "percent"
        elif not unit and follows is not None and follows["word"] and not text[end : follows.start()].strip(" -"):
            unit = find_unit(follows["word"])
            end = follows.end() if unit else end
        numbers.append(Number(value, unit, _find_bound(text.lower(), token.start(), end)))
        index += used
    return numbers


def _read_number(tokens: list[re.Match[str]], index: int) -> tuple[str | None, str, int]:
    """(value, unit, how many tokens) of the number that begins here; no value where none does."""
    token = tokens[index]
    if token["number"]:
        value, glued = token["number"].replace(",", ""), token["glued"] or ""
        if glued in ("k", "K") and value.isdecimal():
            return f"{value}000", "", 1
        unit = MONEY.get(token["money"] or "", "") or (find_unit(glued, True) if glued else "")
        return (None, "", 1) if glued and not unit else (value, unit, 1)  # 3DES is a name
    word = (token["word"] or "").lower()
    if word in TIMES:
        return TIMES[word], "time", 1
    if not word or (word in ("one", "single") and not _is_counted(tokens, index)):
        return None, "", 1
    return _read_spoken_number(tokens, index)


def _is_counted(tokens: list[re.Match[str]], index: int) -> bool:
    """Whether `one` is a number here, and no pronoun."""
    before = tokens[index - 1].group().lower() if index else ""
    after = tokens[index + 1].group().lower() if index + 1 < len(tokens) else ""
    return before not in PRONOUN_BEFORE and after not in PRONOUN_AFTER and after[:1].isalpha()


def _read_spoken_number(tokens: list[re.Match[str]], index: int) -> tuple[str | None, str, int]:
    """A number in words: twenty-four, one hundred and five."""
    total, current, used = 0, 0, 0
    while index + used < len(tokens) and used < 6:
        word = (tokens[index + used]["word"] or "").lower()
        values = [NUMBER_WORDS.get(part, -1) for part in word.split("-")]
        if min(values) < 0:
            follows = tokens[index + used + 1]["word"] if index + used + 1 < len(tokens) else None
            if word == "and" and current >= 100 and (follows or "").lower() in NUMBER_WORDS:
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


def _is_near_number(lower: str, bound: re.Match[str]) -> bool:
    """Whether a word such as `over` bounds a number here, rather than prefers one thing to another."""
    behind = re.findall(r"[\w.$€%-]+", lower[bound.end() : bound.end() + 40])[:REACH]
    if bound[0] in CLOSE:
        return any(_is_numeric(w) for w in behind[:1])
    ahead = re.findall(r"[\w.$€%-]+", lower[max(0, bound.start() - 40) : bound.start()])[-REACH:]
    return any(_is_numeric(w) for w in behind) or any(_is_numeric(w) for w in ahead)


def _is_numeric(word: str) -> bool:
    return any(c.isdigit() for c in word) or word.split("-")[0] in NUMBER_WORDS


def _find_bound(lower: str, start: int, end: int) -> str:
    """What bounds the number that stands here: words before it, or directly behind it."""
    begin = max(lower.rfind(c, 0, start) for c in ".;!?\n")
    before = lower[max(begin + 1, start - 60) : start]
    bound_kind = ""
    for match in _BOUND.finditer(before):
        between = before[match.end() :]
        reach = 1 if match[0] in CLOSE else REACH
        if len(between.split()) < reach and not re.search(r"\d", between) and "," not in between:
            bound_kind = str(match.lastgroup)
    if bound_kind and bound_kind.removesuffix("_after") == bound_kind:
        return bound_kind
    behind = lower[end : end + 40]
    for match in _BOUND.finditer(behind):
        between = behind[: match.start()]
        after = behind[match.end() : match.end() + 14]
        if len(between.split()) >= REACH or re.search(r"[\d.;,]", between):
            break
        if match[0] in POSTFIX and not re.match(r"\s*\d", after):
            return str(match.lastgroup).removesuffix("_after")
    return bound_kind.removesuffix("_after")


def _extract_names(text: str) -> tuple[frozenset[str], frozenset[str]]:
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
            kind = _classify_name(word, first, tokens[n + 1] if n + 1 < len(tokens) else None)
            if kind:
                (names if kind == "sure" else maybe).add(normalize_name(word))
        elif token["number"] and token["glued"] and not find_unit(token["glued"], True) and token["glued"] not in "kK":
            names.add(token.group().lower())
        first = False
    return frozenset(names), frozenset(maybe)


def normalize_name(word: str) -> str:
    """A name as it is compared: without case, plural or possessive."""
    word = word.lower()
    for end in ("'s", "'"):
        word = word.removesuffix(end)
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


def _classify_name(word: str, first: bool, after: re.Match[str] | None) -> str:
    """ "sure" for a name, "maybe" for a word at the beginning of a sentence that may be one, "" for any other."""
    bare = word.rstrip("'")
    low = bare.lower()
    if low in NO_NAMES or low in NUMBER_WORDS or find_unit(bare):
        return ""
    if _looks_like_a_name(bare, low):
        return "sure"
    if not bare[:1].isupper():
        return ""
    if not first or low in KNOWN_NAMES:
        return "sure"
    if low in STARTERS or _ends_with_s(low) or low.endswith("ing"):
        return ""
    following = (after["word"] or "").lower() if after is not None else ""
    return "maybe" if following in AUXILIARIES or _ends_with_s(following) else ""


def _looks_like_a_name(bare: str, low: str) -> bool:
    """Whether its letters alone say so: digits, capitals inside, a path, an acronym, a known small name."""
    if any(c.isdigit() for c in bare) or "_" in bare or re.search(r"[a-z][A-Z]|\w[./]\w|[+#]$", bare):
        return True
    return (len(bare) > 1 and bare.isupper() and low not in EMPHASISED) or low in SMALL_NAMES


def _ends_with_s(word: str) -> bool:
    """A plural, or a verb of the third person; not `class`."""
    return word.endswith("s") and not word.endswith("ss")


def _find_sides(plain: str) -> Iterator[tuple[str, str]]:
    for group, side, pattern in SIDES:
        if pattern.search(plain):
            yield group, side


def _find_markers(plain: str) -> Iterator[str]:
    if ONLY.search(plain):
        yield "only"
    if SOME.search(plain):
        yield "some"
    if UNLESS.search(plain):
        yield "unless"
    for match in RATES.finditer(plain):
        unit = next(g for g in match.groups() if g)
        yield f"per {RATE_WORDS.get(unit) or find_unit(unit)}"


def split_segments(text: str) -> list[str]:
    """The parts of a text in which what is said of one thing stands together: clauses, items, cells."""
    return [part for part in (p.strip() for p in _SEGMENT.split(text)) if part]
