from shopsearch.badge import all_pages
from shopsearch.search import Search


def test_lamp():
    assert all_pages(Search(), "lamp") == "2 found"
