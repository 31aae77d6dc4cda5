import re

_RULES = [("e-mail", "email"), ("web site", "website"), ("ok", "OK")]
HOUSE = [(re.compile(rf"\b{re.escape(a)}\b", re.I), b) for a, b in _RULES]


def apply(text, rules=HOUSE):
    for rx, to in rules:
        text = rx.sub(to, text)
    return text


def plus(rules, wrong, right):
    rules += [(re.compile(rf"\b{re.escape(wrong)}\b", re.I), right)]
    return rules


def extended(rules, wrong, right):
    return rules + [(re.compile(rf"\b{re.escape(wrong)}\b", re.I), right)]
