"""The address book."""


class Contact:
    def __init__(self, name, mail):
        self.name = name
        self.mail = mail

    def __repr__(self):
        return f"{self.name} <{self.mail}>"


class Group:
    def __init__(self, name, *members):
        self.name = name
        self.members = list(members)

    def join(self, contact):
        if contact not in self.members:
            self.members.append(contact)
