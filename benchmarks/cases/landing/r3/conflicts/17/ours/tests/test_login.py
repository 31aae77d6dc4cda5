import pytest

from login.account import Account
from login.service import Denied, Service


def test_login():
    assert Service([Account("ada", "pw")]).login("ada", "pw").name == "ada"


def test_locked_after_three():
    service = Service([Account("ada", "pw")])
    for _ in range(3):
        with pytest.raises(Denied, match="wrong"):
            service.login("ada", "x")
    with pytest.raises(Denied, match="locked"):
        service.login("ada", "pw")
    service.accounts["ada"].last_failure -= 1000
    assert service.login("ada", "pw")
