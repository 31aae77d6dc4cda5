from guard.nodes import Form, Guard


def test_errors():
    form = Form().parse("nobody,17")
    assert len(Guard().check(mail=form["email"], age=form["age"])["errors"]) == 2
