import pytest

from login.account import Account
from login.service import Denied, Service


def test_reset():
    service = Service([Account("ada", "pw")])
    service.reset("ada", "pw", "better")
    assert service.login("ada", "better")


def test_short():
    with pytest.raises(Denied):
        Service([Account("ada", "pw")]).reset("ada", "pw", "x")
