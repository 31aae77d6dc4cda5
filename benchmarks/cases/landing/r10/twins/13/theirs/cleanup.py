"""Tidy up the tags of a library."""


def normal(tag):
    return " ".join(tag.lower().split())


def rename_tag(library, old, new):
    """Replace a tag on every track that has it; return how many tracks changed."""
    changed = 0
    for title, track in library.tracks.items():
        if old in track.tags:
            library.untag(title, old)
            library.tag(title, new)
            changed += 1
    return changed


def normalise(library):
    """Bring all tags into one spelling; return {old: new} of those that changed."""
    spellings = {tag for track in library.tracks.values() for tag in track.tags}
    renamed = {tag: normal(tag) for tag in sorted(spellings) if tag != normal(tag)}
    for old, new in renamed.items():
        rename_tag(library, old, new)
    return renamed
