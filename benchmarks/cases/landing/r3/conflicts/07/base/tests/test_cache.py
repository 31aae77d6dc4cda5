from web.cache import Cache
from web.pages import cached_page


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def test_page_is_rendered_once_in_five_minutes():
    clock = Clock()
    cache = Cache(clock)
    calls = []
    for step in (0, 200, 150):
        clock.now += step
        cached_page(cache, "/", lambda path: calls.append(path) or "page")
    assert calls == ["/", "/"]


def test_sweep():
    clock = Clock()
    cache = Cache(clock, limit=1)
    cache.put("a", 1)
    clock.now += 100
    cache.put("b", 2)
    assert cache.get("a") is None and cache.get("b") == 2
