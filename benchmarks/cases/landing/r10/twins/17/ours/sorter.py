"""Puts mail into folders."""
from collections import defaultdict

INBOX = "Inbox"


def folder_for(book, subject):
    """The folder of a mail: that of the rule added first among those that match."""
    for rule in book.all():
        if rule.matches(subject):
            return rule.folder
    return INBOX


def sort_mail(book, subjects):
    """Return {folder: subjects}."""
    folders = defaultdict(list)
    for subject in subjects:
        folders[folder_for(book, subject)].append(subject)
    return dict(folders)
