"""The address book."""
from contacts import names


class Book:
    def __init__(self, contacts):
        self.contacts = sorted(contacts, key=lambda contact: names.sort_key(contact["name"]))

    def find(self, text):
        return [contact for contact in self.contacts if text in contact["name"]]

    def export(self):
        return "".join(names.card(contact) for contact in self.contacts)
