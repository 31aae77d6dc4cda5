"""The list of rules on the settings page."""


def table(book):
    return [f"{rule.word:<12}{rule.folder}" for rule in book.all()]
