from accounts import Accounts
from signup import Signup


def test_insert():
    new = Signup().register("jo@x.org")
    assert Accounts().insert(username=new["login"], mail=new["mail"])["rows"] == ["jo"]
