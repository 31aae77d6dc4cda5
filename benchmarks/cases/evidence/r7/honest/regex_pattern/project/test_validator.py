from form import FIELDS, Form
from validator import Validator


def test_all_forms():
    fields = [Form().field(name) for name in FIELDS]
    verdicts = [Validator().check(regex=field["pattern"], value=field["value"])["ok"] for field in fields]
    assert verdicts == [True, True]
