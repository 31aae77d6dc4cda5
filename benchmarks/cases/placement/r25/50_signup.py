# pure
"""Keeps nothing: the checking descriptors store each value in the form of the event."""
from graphbus_core import GraphBusNode, subscribe


class Field:
    message = "is wrong"

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, form, owner=None):
        return self if form is None else form.__dict__.get(self.name)

    def __set__(self, form, value):
        if self.valid(value):
            form.__dict__[self.name] = value
        else:
            form.errors.append(f"{self.name} {self.message}")

    def valid(self, value):
        return True


class Text(Field):
    def __init__(self, at_least=1):
        self.at_least = at_least
        self.message = f"needs {at_least} letters"

    def valid(self, value):
        return len(value.strip()) >= self.at_least


class Mail(Field):
    message = "is no mail address"

    def valid(self, value):
        name, at, host = value.partition("@")
        return bool(name and at and "." in host)


class SignupForm:
    name = Text(at_least=3)
    mail = Mail()

    def __init__(self, name, mail):
        self.errors = []
        self.name = name
        self.mail = mail


class SignupNode(GraphBusNode):
    @subscribe("/signup/form")
    def submit(self, name: str, mail: str) -> dict:
        form = SignupForm(name, mail)
        if form.errors:
            return {"ok": False, "errors": form.errors}
        return {"ok": True, "user": f"{form.name} <{form.mail}>"}
