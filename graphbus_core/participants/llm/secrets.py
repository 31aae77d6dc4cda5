"""Keys never leave: whatever a library, a server or a model says is scrubbed before anyone keeps or shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

HIDDEN = "[key hidden]"
_NAMES = re.compile(r"(_KEY|_TOKEN|_SECRET|PASSWORD)$")
_SHAPES = re.compile(r"\b(?:sk|gsk|xai|AIza)[-_A-Za-z0-9]{16,}|(?i:\bbearer\s+)[A-Za-z0-9._~+/=-]{8,}")
_SHORTEST = 8  # a shorter value is no key, and hiding it would garble ordinary words


class Scrubber:
    """Replaces every known secret, and what looks like a key, by a fixed text."""

    def __init__(self, secrets: Iterable[str | None] = (), environ: Mapping[str, str] | None = None) -> None:
        known = {s for s in secrets if s and len(s) >= _SHORTEST}
        known |= {v for k, v in (environ or {}).items() if _NAMES.search(k) and len(v) >= _SHORTEST}
        # longest first: a key that contains another must not be cut in the middle
        self._known = tuple(sorted(known, key=lambda s: (-len(s), s)))

    def __call__(self, text: str) -> str:
        """`text` without secrets."""
        for secret in self._known:
            text = text.replace(secret, HIDDEN)
        return _SHAPES.sub(HIDDEN, text)
