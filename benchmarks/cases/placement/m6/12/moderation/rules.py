import re

from moderation.levels import Level

BAD_WORDS = {
    "darn": Level.MILD,
    "heck": Level.MILD,
    "fool": Level.RUDE,
    "twit": Level.RUDE,
    "scum": Level.HARD,
}

_PATTERN = re.compile(r"\b(" + "|".join(BAD_WORDS) + r")s?\b", re.IGNORECASE)


def findings(text: str) -> list[tuple[str, Level]]:
    return [(m.group(1).lower(), BAD_WORDS[m.group(1).lower()]) for m in _PATTERN.finditer(text)]


def worst(text: str) -> Level | None:
    found = [level for _, level in findings(text)]
    return min(found, key=lambda level: level.allowed, default=None)


def mask(text: str) -> str:
    def stars(match: re.Match) -> str:
        word = match.group(1)
        return word[0] + BAD_WORDS[word.lower()].stars + match.group(0)[len(word):]
    return _PATTERN.sub(stars, text)
