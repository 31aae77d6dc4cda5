"""Erasing a person on request, from every account the person ever had."""


class EraseReport(object):
    """What has been erased."""

    def __init__(self, names):
        self.names = names

    def as_text(self):
        """Return one line for the letter to the person."""
        return "erased: " + (", ".join(self.names) or "nothing")


class EraseRequest(object):
    """Overwrites the address in all accounts of a person."""

    def __init__(self, directory):
        self._directory = directory

    def run(self, email):
        """Erase the address; return an EraseReport."""
        names = []
        for account in self._directory.find():
            if account.email.lower() == email.lower():
                account.email = "erased@invalid.example"
                names.append(account.name)
        return EraseReport(names)
