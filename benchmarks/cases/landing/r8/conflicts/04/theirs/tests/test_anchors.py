from blog.anchors import contents

BODY = """## Début
text
### Why
### Why
"""


def test_contents():
    assert contents(BODY).splitlines() == [
        "- [Debut](#debut)",
        "  - [Why](#why)",
        "  - [Why](#why-2)",
    ]
