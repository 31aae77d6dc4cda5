import pytest

from sitegen.filters import fill


def test_plain():
    assert fill("Hello {{ who }}!", {"who": "you"}) == "Hello you!"


@pytest.mark.parametrize("template, want", [
    ("{{ t | title }}", "Fish & Chips"),
    ("{{ t|escape }}", "fish &amp; chips"),
])
def test_filters(template, want):
    assert fill(template, {"t": "fish & chips"}) == want
