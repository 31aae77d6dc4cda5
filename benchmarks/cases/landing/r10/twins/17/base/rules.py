"""Rules that say which mail belongs in which folder."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    word: str
    folder: str

    def matches(self, subject):
        return self.word in subject.lower()


class RuleBook:
    def __init__(self):
        self._rules = []

    def add(self, word, folder):
        self._rules.append(Rule(word.lower(), folder))

    def remove(self, word):
        self._rules = [rule for rule in self._rules if rule.word != word.lower()]

    def all(self):
        """The rules, in the order they were added."""
        return list(self._rules)
