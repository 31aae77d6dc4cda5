"""Partners that get no offers."""


class Blocklist(object):
    """The ids of the partners that asked to be left alone."""

    def __init__(self, ids):
        self._ids = frozenset(ids)

    @classmethod
    def from_text(cls, text):
        """Read one id per line; ``#`` starts a remark."""
        lines = [line.split("#")[0].strip() for line in text.splitlines()]
        return cls(int(line) for line in lines if line)

    def blocks(self, partner):
        """Tell whether the partner must not be written to."""
        return partner.partner_id in self._ids


class OfferRound(object):
    """Chooses the partners for a round of offers."""

    def __init__(self, blocklist):
        self._blocklist = blocklist

    def choose(self, partners):
        """Return the names of the partners to write to."""
        return [p.name for p in partners if not self._blocklist.blocks(p)]
