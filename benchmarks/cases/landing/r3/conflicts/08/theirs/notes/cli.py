"""show and list"""
from notes.store import Store, StoreError


def show(folder, name):
    try:
        note = Store(folder).load(name)
    except StoreError:
        return 1, f"no such note: {name}"
    return 0, f"{note['title']}\n{note['text']}"
