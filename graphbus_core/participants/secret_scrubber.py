"""Keys never leave: whatever a library, a server or a model says is scrubbed before anyone keeps or shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

HIDDEN = "[key hidden]"
_NAMES = re.compile(r"(_KEY|_TOKEN|_SECRET|PASSWORD)$")
# Shapes of keys. Names such as `skip_empty_headlines` and words such as "bearer certificates" have none.
_SHAPES = re.compile(
    r"(?<![-\w])(?:sk-|xai-|gsk_)(?=[-\w]*\d)[-A-Za-z0-9_]{16,}"
    r"|(?<![-\w])(?:gh[oprsu]_|github_pat_|glpat-|hf_|xox[abeoprs]-|[rs]k_live_)(?=[-\w]*\d)[-A-Za-z0-9_]{16,}"
    r"|(?<![-\w])A(?:KI|SI)A[0-9A-Z]{16}(?!\w)"
    r"|(?<![-\w])AIza[-A-Za-z0-9_]{28,}"
    r"|(?i:\bbearer\s+)(?:(?=[A-Za-z._~+/=-]*\d)[A-Za-z0-9._~+/=-]{16,}|[A-Za-z0-9]{20,})"
)
# `PARTITION_KEY=customer_id` in the environment is not a secret: hiding it would garble all text that names the field.
_WORDS = re.compile(r"[a-z]+(?:[-_. ][a-z]+)*|[A-Z]+(?:[-_. ][A-Z]+)*")
_SHORTEST = 8  # a shorter value is not a key, and hiding it would garble ordinary words


class Scrubber:
    """Replaces every known secret, and what looks like a key, by a fixed text."""

    def __init__(self, secrets: Iterable[str | None] = (), environ: Mapping[str, str] | None = None) -> None:
        values = {s for s in secrets if s}
        values |= {v for k, v in (environ or {}).items() if _NAMES.search(k) and not _WORDS.fullmatch(v.strip())}
        values |= {s.strip() for s in values}  # a line's end that slipped into a key is written otherwise in messages
        values = {s for s in values if len(s) >= _SHORTEST}
        # longest first: a key that contains another must not be cut in the middle
        self._known = tuple(sorted(values, key=lambda s: (-len(s), s)))

    def __call__(self, text: str) -> str:
        """`text` without secrets."""
        for secret in self._known:
            text = text.replace(secret, HIDDEN)
        return _SHAPES.sub(HIDDEN, text)
