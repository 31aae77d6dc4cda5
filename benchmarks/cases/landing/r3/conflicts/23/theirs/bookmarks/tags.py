"""Housekeeping of the tags."""


class SameTag(ValueError):
    pass


def merge_tags(repo, old, new):
    """Give every bookmark tagged old the tag new; return how many there were."""
    if old == new:
        raise SameTag(old)
    urls = repo.tagged(old)
    for url in urls:
        repo.save(url, new)
    return len(urls)


def counts(repo):
    return {tag: len(repo.tagged(tag)) for tag in repo.tags()}
