"""Partners as the yearly file brings them."""
import csv
import io


class Partner(object):
    """One partner firm."""

    def __init__(self, partner_id, name):
        self.partner_id = partner_id
        self.name = name


class PartnerRepository(object):
    """Holds the partners by their id."""

    def __init__(self):
        self._partners = {}

    def load(self, text):
        """Read lines of ``id;name``; return how many there were."""
        count = 0
        for row in csv.reader(io.StringIO(text), delimiter=";"):
            partner = Partner(self._read_id(row[0]), row[1].strip())
            self._partners[partner.partner_id] = partner
            count += 1
        return count

    @staticmethod
    def _read_id(text):
        return int(text)

    def get(self, partner_id):
        """Return a partner; KeyError if there is none."""
        return self._partners[partner_id]

    def all(self):
        """Return the partners by their ids."""
        return [self._partners[key] for key in sorted(self._partners)]
