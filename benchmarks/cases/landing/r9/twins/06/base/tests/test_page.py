from sitegen.page import render
from sitegen.text import titlecase


def test_render():
    assert render("Über uns", "...").startswith('<h1 id="uber-uns">')


def test_titlecase():
    assert titlecase("a long day") == "A Long Day"
