import re
import unicodedata
from collections import defaultdict
from typing import Callable, NamedTuple


class Rule(NamedTuple):
    pattern: re.Pattern
    replacement: str


BASE_RULES = (
    Rule(re.compile(r"\bapprox(?:imately)?\b\.?", re.I), "about"),
    Rule(re.compile(r"\be\.g\."), "for example"),
    Rule(re.compile(r"\s{2,}"), " "),
)

house_rules = [*BASE_RULES]


def apply(text: str, rules) -> str:
    for rule in rules:
        text = rule.pattern.sub(rule.replacement, text)
    return text


def plain(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def unique_names() -> Callable[[str], str]:
    taken: defaultdict[str, int] = defaultdict(int)

    def name(base: str) -> str:
        taken[base] += 1
        return base if taken[base] == 1 else f"{base}-{taken[base]}"

    return name
