from dataclasses import dataclass


class Forbidden(Exception):
    pass


@dataclass
class User:
    name: str
    is_editor: bool = False


class Book:
    def __init__(self):
        self.recipes = {}

    def add(self, slug, steps):
        self.recipes[slug] = {"steps": list(steps), "public": False}

    def get(self, slug):
        return self.recipes[slug]

    def delete(self, user, slug):
        if not user.is_editor:
            raise Forbidden(user.name)
        del self.recipes[slug]
