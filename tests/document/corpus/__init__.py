"""Decisions with honest paraphrases written by hand, and a generator of alterations that an honest editor never
makes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).parent
WORDS = re.findall(
    r"\w+", "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
)
TENS = {"20": "twenty", "30": "thirty", "40": "forty", "60": "sixty", "90": "ninety"}
TURNED = {
    "at most": "at least",
    "at least": "at most",
    "no more than": "no less than",
    "under": "over",
    "less than": "more than",
    "over": "under",
    "above": "below",
    "before": "after",
    "must": "may",
    "only": "also",
    "within": "after more than",
    "automatically": "manually",
    "local": "remote",
    "external": "internal",
    "public": "private",
    "all": "some",
    "every": "not every",
    "each": "not each",
    "and": "or",
    "except": "including",
    "daily": "weekly",
    "nightly": "weekly",
    "fails": "succeeds",
    "offline": "online",
    "kept": "deleted",
    "smaller": "larger",
}
UNITS = {
    "days": "weeks",
    "day": "week",
    "minutes": "hours",
    "minute": "hour",
    "seconds": "minutes",
    "second": "minute",
    "hours": "days",
    "months": "years",
    "week": "month",
    "ms": "s",
    "mb": "GB",
    "gb": "MB",
    "percent": "times",
    "euros": "dollars",
}
NAMES = {
    "Redis": "Memcached",
    "PostgreSQL": "MySQL",
    "JWT": "SAML",
    "Tuesday": "Friday",
    "gzip": "zstd",
    "Argon2": "bcrypt",
    "Alice": "Bob",
    "config.yaml": "settings.toml",
    "Sentry": "Datadog",
    "Slack": "Teams",
    "S3": "GCS",
    "Markdown": "AsciiDoc",
    "HTML": "PDF",
    "Python": "Ruby",
    "Vault": "Doppler",
    "HMAC-SHA256": "RSA-2048",
    "UTC": "CET",
    "European Union": "United States",
    "TLS": "SSH",
    "API": "CLI",
}
AUXILIARY = r"\b(is|are|must|may|will|can|does|do|has|have)\b(?! not)"


def pairs() -> list[tuple[str, list[str]]]:
    """(decision, its paraphrases)."""
    found: list[tuple[str, list[str]]] = []
    for line in (HERE / "paraphrases.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            found.append((line[2:], []))
        elif line.startswith("~ "):
            found[-1][1].append(line[2:])
    return found


def numbers(text: str, chance: random.Random) -> Iterator[str]:
    """Another number in the place of one."""
    for match in re.finditer(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?", text):
        value = match[0].replace(",", "")
        other = str(round(float(value) * chance.choice((2, 3, 10)), 2)).removesuffix(".0")
        yield text[: match.start()] + other + text[match.end() :]


def units(text: str, chance: random.Random) -> Iterator[str]:
    """Another unit behind a number."""
    for match in re.finditer(r"(\d|\b(?:one|two|three|seven|ten|thirty|sixty|ninety|fourteen|four)\b) ?(\w+)", text):
        if (other := UNITS.get(match[2].lower())) is not None:
            yield text[: match.start(2)] + other + text[match.end(2) :]


def number_words(text: str, chance: random.Random) -> Iterator[str]:
    """A number in words, and another one."""
    for match in re.finditer(r"(?<![\w.-])\d+(?![\w.,]*\d)", text):
        value = int(match[0]) + chance.choice((1, 2, 3))
        word = WORDS[value] if value < len(WORDS) else TENS.get(str(10 * (value // 10)))
        if word and str(10 * (value // 10)) != match[0]:
            yield text[: match.start()] + word + text[match.end() :]
    for match in re.finditer(r"\b(one|two|three|four|seven|ten)\b", text):
        yield text[: match.start()] + WORDS[WORDS.index(match[0]) + 2] + text[match.end() :]


def negations(text: str, chance: random.Random) -> Iterator[str]:
    """A "not" more, or one less."""
    for match in re.finditer(AUXILIARY, "" if re.search(r"\b(?:never|no|not)\b", text, re.IGNORECASE) else text):
        yield text[: match.end()] + " not" + text[match.end() :]
    for pattern, other in (
        (r"\b(does|do) not ", ""),
        (r"\bmust not ", "must "),
        (r"\bnever ", ""),
        (r"\bNo (\w)", r"\1"),
    ):
        if re.search(pattern, text):
            yield re.sub(pattern, other, text, count=1)


def turned(text: str, chance: random.Random) -> Iterator[str]:
    """A word that turns the sense."""
    for word, other in TURNED.items():
        follows = r"(?= \d)" if word in ("over", "above", "under") else ""
        follows = "(?! not)" if word == "must" else follows  # "may not" is not another thing than "must not"
        if match := re.search(rf"(?i)\b{word}\b{follows}", text):
            yield text[: match.start()] + other + text[match.end() :]


def names(text: str, chance: random.Random) -> Iterator[str]:
    """Another name."""
    for word, other in NAMES.items():
        if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text):
            yield re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", other, text)


def clauses(text: str, chance: random.Random) -> Iterator[str]:
    """A clause less."""
    for pattern in (r"[;,] [^;,]+(?=\.$)", r" (?:and|but) [^,;]+(?=\.$)"):
        if (match := re.search(pattern, text)) and len(match[0].split()) > 3:
            yield text[: match.start()] + "."


KINDS: dict[str, Callable[[str, random.Random], Iterator[str]]] = {
    "numbers": numbers,
    "units": units,
    "number words": number_words,
    "negations": negations,
    "turned words": turned,
    "names": names,
    "dropped clauses": clauses,
}


def documents(chance: random.Random, kept: list[str], chosen: str) -> str:
    """A final document with `chosen` among `kept`, in one of several forms."""
    said = [*kept]
    said.insert(chance.randrange(len(said) + 1), chosen)
    form = chance.randrange(4)
    if form == 0:
        return "# The plan\n\n" + "\n\n".join(said) + "\n"
    if form == 1:
        return "# The plan\n\n" + " ".join(said) + "\n"
    if form == 2:
        return "# The plan\n\nWhat we agreed:\n\n" + "\n".join(f"- {one}" for one in said) + "\n"
    return "# The plan\n\n" + "\n\n".join(f"## Point {n}\n\n{one}" for n, one in enumerate(said, 1)) + "\n"


def altered(seed: int = 7) -> list[tuple[str, str, str, str]]:
    """(kind, decision, what was made of it, document) for every alteration; of the decision or of a paraphrase."""
    chance = random.Random(seed)
    found = []
    decisions = pairs()
    for decision, others in decisions:
        kept = [d for d, _ in chance.sample(decisions, 6) if d != decision][:5]
        for kind, alter in KINDS.items():
            for source in (decision, *(others if kind != "dropped clauses" else ())):
                for one in alter(source, chance):
                    if one != source and (
                        source == decision or kind != "turned words" or _means(decision, source, one)
                    ):
                        found.append((kind, decision, one, documents(chance, kept, one)))
    return found


def _means(decision: str, source: str, one: str) -> bool:
    """Whether the word that was turned in a paraphrase is the decision's, too: else nothing of it was altered."""
    gone = set(re.findall(r"\w+", source.lower())) - set(re.findall(r"\w+", one.lower()))
    return gone <= set(re.findall(r"\w+", decision.lower()))


def honest(seed: int = 7) -> list[tuple[str, str, str]]:
    """(decision, paraphrase, document)."""
    chance = random.Random(seed)
    decisions = pairs()
    found = []
    for decision, others in decisions:
        for one in others:
            kept = [d for d, _ in chance.sample(decisions, 6) if d != decision][:5]
            found.append((decision, one, documents(chance, kept, one)))
    return found
