"""The list of rules on the settings page."""


def table(book):
    rules = book.by_word()
    width = max((len(rule.word) for rule in rules), default=0)
    return [f"{rule.word:<{max(width + 1, 12)}}{rule.folder}" for rule in rules]
