from export.markdown import Markdown


def test_table():
    text = Markdown(["item", "n"]).export([{"item": "a|b", "n": 2}])
    assert text == "| item | n |\n|---|---|\n| a\\|b | 2 |\n"
