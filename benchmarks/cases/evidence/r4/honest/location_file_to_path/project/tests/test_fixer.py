from fixer import Fixer
from scanner import Scanner


def test_title():
    found = Scanner().scan("m")
    issue = Fixer().open_issue(repo=found["repo"], file=found["path"], line=found["line"])
    assert issue["title"] == "m: sorry in Lib/Basic.lean:12"
