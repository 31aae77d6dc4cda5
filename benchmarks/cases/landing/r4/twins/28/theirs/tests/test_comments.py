from comments import comments_table


def test_newest_on_top():
    page = comments_table([{"at": 1, "by": "ann", "text": "First!"}, {"at": 2, "by": "bob", "text": "Nice"}])
    assert page.splitlines()[1] == "<tr><td>bob</td><td>Nice</td></tr>"
