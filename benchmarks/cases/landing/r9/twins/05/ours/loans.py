from datetime import date, timedelta

LOAN_DAYS = 21


class Loans:
    def __init__(self, events):
        self.events = events
        self._due = {}

    def lend(self, book, member, day: date):
        self._due[book] = (member, day + timedelta(days=LOAN_DAYS))

    def bring_back(self, book):
        self._due.pop(book, None)

    def nightly(self, today: date):
        """Emit `loan.overdue` for every book that should have been here by now."""
        for book, (member, due) in sorted(self._due.items()):
            if due < today:
                self.events.emit("loan.overdue", {
                    "book": book,
                    "member": member,
                    "days": (today - due).days,
                    "due": due.isoformat(),
                })
