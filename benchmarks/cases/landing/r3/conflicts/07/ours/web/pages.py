"""Rendered pages are kept for five minutes."""
PAGE_TTL = 300_000


def cached_page(cache, path, render):
    page = cache.get(("page", path))
    if page is None:
        page = render(path)
        cache.put(("page", path), page, ttl=PAGE_TTL)
    return page
