"""The English words behind `checkable`: units, number words, bounds, opposites, words that are not names. Data only."""

from __future__ import annotations

import re


def _set(text: str) -> frozenset[str]:
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


def unit(word: str, glued: bool = False) -> str:
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
PRONOUN_BEFORE = _set("no any every each this that which the another some everyone last next")
PRONOUN_AFTER = _set(
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
POSTFIX = _set("maximum max minimum") | {
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
CLOSE = _set("over above under below beyond")  # they bound a number only where it follows directly
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

KNOWN_NAMES = _set(
    """redis kubernetes jenkins postgres memcached kafka docker python rust java go ruby node django flask react vue
    angular nginx apache linux windows ubuntu debian terraform ansible prometheus grafana elasticsearch cassandra
    dynamo mongo sqlite mysql oracle stripe paypal github gitlab slack jira alice bob carol dave eve google amazon
    azure heroku celery rabbitmq nats vault consul etcd envoy istio swift kotlin scala typescript javascript berlin
    london paris monday tuesday wednesday thursday friday saturday sunday january february march april june july
    august september october november december english french german spanish"""
)
SMALL_NAMES = _set(
    """gzip zstd bzip2 brotli npm pip docker kubernetes redis postgres postgresql mysql mariadb sqlite kafka nginx
    systemd cron bash zsh git jenkins grafana prometheus terraform ansible rabbitmq memcached celery django flask
    webpack vite yarn pnpm pytest mypy ruff curl ssh bcrypt scrypt argon2 md5 utf-8 json yaml toml csv xml protobuf
    grpc graphql jwt oauth saml markdown html pdf"""
)
NO_NAMES = _set(
    """i a an the we you it they he she this that these those there here our your their its my and or but so if when
    while because since although though as at by for from in into of on onto out over to under up with within without
    not no never none nobody nothing neither nor every each all any some both either only also then than too very yes ok
    please"""
)
EMPHASISED = _set("must shall should may not never always only and or all any no yes ok will can todo note")
STARTERS = NO_NAMES | _set(
    """agreed decision decided proposal proposed position issue final topic summary note first second third finally
    however therefore thus hence instead otherwise moreover further furthermore meanwhile after before during until once
    whenever where what which who how why one two three four five six seven eight nine ten access storage data state
    code documentation production staging monitoring everyone everybody anyone anybody someone another other
    nothing something everything whoever whatever version everything authentication authorization encryption compression
    validation configuration deployment traffic support money memory content output input email feedback"""
)
AUXILIARIES = _set("is was will must may should can could has had shall would might does did cannot")
