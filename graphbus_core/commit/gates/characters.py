"""Characters: the added text reads as it runs. No bidirectional control, nothing invisible, no name of two scripts.

A reviewer decides by what is seen. Text that is shown in another order than it runs ("Trojan Source"), text that is not
shown at all, a name whose letters only look like another's: each would pass every other gate. What stood there stays.
"""

from __future__ import annotations

import io
import tokenize
import unicodedata
from collections import Counter
from collections.abc import Iterator

from graphbus_core.commit.gates.trial import Gate, GateAnswer, Trial, report_proved, report_refused
from graphbus_core.text import join_few

SHOWN = 5
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANK = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u3164\uffa0\ufeff")  # letters and signs without a shape
# Scripts that are written together; every other pair in one name is a mixture.
_TOGETHER = (frozenset({"CJK", "HIRAGANA", "KATAKANA"}), frozenset({"CJK", "HANGUL"}), frozenset({"CJK", "BOPOMOFO"}))


def ask(trial: Trial) -> GateAnswer:
    """Look at what each file has more of than before."""
    problems: list[str] = []
    for path in trial.files:
        before, after = (_decode_text(data[path]) for data in (trial.applied.before, trial.applied.after))
        problems += [
            f"{path}:{line}: {what}" for line, what in (*find_hidden(before, after), *find_mixed_names(before, after))
        ]
    if not problems:
        return report_proved()
    return report_refused(f"the added text does not read as it runs: {join_few(problems, SHOWN, '; ')}.")


GATE = Gate("characters", ask)


def find_hidden(before: str, after: str) -> Iterator[tuple[int, str]]:
    """Controls and invisible characters that the text has more of than before, with their lines."""
    had = Counter(c for c in before if is_hidden(c))
    for number, line in enumerate(after.splitlines(), 1):
        for c in line:
            if is_hidden(c):
                had[c] -= 1
                if had[c] < 0:
                    kind = "bidirectional control" if c in _BIDI else "invisible character"
                    yield number, f"the {kind} {_describe_character(c)}"


def is_hidden(c: str) -> bool:
    """Whether a character changes the order of others, or has no shape of its own."""
    if c.isascii():
        return False
    return (
        c in _BIDI or c in _BLANK or unicodedata.category(c) == "Cf" or 0xFE00 <= ord(c) <= 0xFE0F or ord(c) >= 0xE0000
    )


def find_mixed_names(before: str, after: str) -> Iterator[tuple[int, str]]:
    """Names, and texts that are names (fields of contracts), of letters of two scripts that were not there before."""
    if after.isascii():
        return
    known_names = {name for _, name in _iter_names(before)}
    for number, name in _iter_names(after):
        scripts = {s for c in name if c.isalpha() for s in [_identify_script(c)]}
        if name not in known_names and len(scripts) > 1 and not any(scripts <= some for some in _TOGETHER):
            letters = ", ".join(_describe_character(c) for c in dict.fromkeys(name) if not c.isascii())
            yield number, f"the name {name!r} mixes scripts ({letters})"


def _iter_names(text: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            inner = token.string.strip("rbfuRBFU").strip("'\"") if token.type == tokenize.STRING else token.string
            if token.type in (tokenize.NAME, tokenize.STRING) and not inner.isascii() and inner.isidentifier():
                yield token.start[0], inner
    except (tokenize.TokenError, SyntaxError):
        return  # `parses` says so


def _identify_script(c: str) -> str:
    return unicodedata.name(c, "UNKNOWN").partition(" ")[0]


def _describe_character(c: str) -> str:
    return f"U+{ord(c):04X} {unicodedata.name(c, 'without a name')}"


def _decode_text(data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError:
        encoding = "utf-8"
    return data.decode(encoding, "replace").removeprefix("\ufeff")
