"""Letters to the partners."""


class LetterWriter(object):
    """Addresses letters."""

    def __init__(self, repository):
        self._repository = repository

    def address(self, partner_id):
        """Return the first line of a letter."""
        partner = self._repository.get(partner_id)
        return "%s (no. %s)" % (partner.name, partner.partner_id)
