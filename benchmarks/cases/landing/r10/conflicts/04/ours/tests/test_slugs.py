from wiki.pages import Wiki
from wiki.slugs import is_slug, slugify


def test_accents_are_folded():
    assert slugify("Über uns!") == "uber-uns"


def test_is_slug():
    assert is_slug("uber-uns")
    assert not is_slug("Über uns")
    assert not is_slug("")


def test_get_by_title():
    wiki = Wiki()
    wiki.add("Über uns", "text")
    assert wiki.get("Über uns") == wiki.get("uber-uns") == ("Über uns", "text")
