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
        """Delete a document; KeyError when there is none, Forbidden when the user may not."""
        document = self.documents[number]
        if not document.editable_by(user):
            raise Forbidden(f"{user.name} may not change {document.title}")
        del self.documents[number]
        self.log.append(f"{user.name} deleted {document.title}")
