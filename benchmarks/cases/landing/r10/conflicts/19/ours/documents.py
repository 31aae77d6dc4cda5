"""Documents and who may change them."""
from dataclasses import dataclass


class Forbidden(Exception):
    pass


@dataclass(frozen=True)
class User:
    name: str
    admin: bool = False


SYSTEM = User("system", admin=True)


@dataclass
class Document:
    number: int
    title: str
    owner: str
    year: int = 2024

    def editable_by(self, user):
        return user.admin or user.name == self.owner


class Archive:
    def __init__(self):
        self.documents = {}
        self.log = []

    def add(self, document):
        self.documents[document.number] = document

    def delete(self, user, number):
        """Delete a document in the name of a user; the pages check who may."""
        document = self.documents.pop(number)
        self.log.append(f"{user.name} deleted {document.title}")

    def expire(self, user, before):
        """Delete all documents older than a year; return how many."""
        old = [d.number for d in self.documents.values() if d.year < before]
        for number in old:
            self.delete(user, number)
        return len(old)
