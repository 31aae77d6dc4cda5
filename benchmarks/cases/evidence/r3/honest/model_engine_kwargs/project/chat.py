from nodes import Completion, Selector


class Pipeline:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, value):
        for step in self.steps:
            value = step(value)
        return value


def choose(prompt):
    return Selector().select(words=len(prompt.split()))


def complete(chosen):
    return Completion().complete(engine=chosen["model"])


chat = Pipeline(choose, complete)
for prompt in ("hi", "tell me all about the moon please"):
    print(chat(prompt)["text"])
