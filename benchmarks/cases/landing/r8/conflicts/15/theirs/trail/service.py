"""What the application writes into the journal."""


class AuditService(object):
    """Journals the logins and the changes of the users."""

    def __init__(self, journal, clock):
        self._journal = journal
        self._clock = clock

    def login(self, user):
        """Journal a login."""
        self._journal.append(self._clock(), user, "login")

    def change(self, user, what):
        """Journal a change."""
        self._journal.append(self._clock(), user, "change " + what)
