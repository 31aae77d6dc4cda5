"""The address book."""


class Contact:
    def __init__(self, name, mail):
        self.name = name
        self.mail = mail

    def __eq__(self, other):
        if not isinstance(other, Contact):
            return NotImplemented
        return self.mail.lower() == other.mail.lower()

    def __hash__(self):
        return hash(self.mail.lower())

    def __repr__(self):
        return f"{self.name} <{self.mail}>"


class Group:
    def __init__(self, name, *members):
        self.name = name
        self.members = list(members)

    def join(self, contact):
        if contact not in self.members:
            self.members.append(contact)
