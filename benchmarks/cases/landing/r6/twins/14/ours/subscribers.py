class Subscribers:
    def __init__(self):
        self._emails = set()

    def __len__(self):
        return len(self._emails)

    def __contains__(self, email):
        return email in self._emails

    def save(self, email):
        email = email.strip().lower()
        if "@" not in email:
            raise ValueError("not an address: %r" % email)
        self._emails.add(email)
