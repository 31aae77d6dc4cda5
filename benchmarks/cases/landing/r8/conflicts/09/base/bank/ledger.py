"""A ledger of one account."""


class Entry(object):
    """One booked entry; amounts are in cents."""

    def __init__(self, number, amount, text):
        self.number = number
        self.amount = amount
        self.text = text


class Ledger(object):
    """Books entries and knows the balance."""

    def __init__(self, limit=0):
        self._entries = []
        self._limit = limit
        self._next_number = 1

    def balance(self):
        """Return the balance in cents."""
        return sum(entry.amount for entry in self._entries)

    def book(self, amount, text):
        """Book an amount; return the number of the entry."""
        if self.balance() + amount < -self._limit:
            raise ValueError("limit exceeded")
        entry = Entry(self._next_number, amount, text)
        self._next_number += 1
        self._entries.append(entry)
        return entry.number

    def find(self, number):
        """Return the entry of that number."""
        for entry in self._entries:
            if entry.number == number:
                return entry
        raise KeyError(number)

    def texts(self):
        """Return the texts of the entries in their order."""
        return [entry.text for entry in self._entries]
