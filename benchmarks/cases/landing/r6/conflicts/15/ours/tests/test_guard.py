import pytest

from web import Denied, login_required


def test_guard():
    page = login_required(lambda user: "hi " + user)
    assert page("ann") == "hi ann"
    with pytest.raises(Denied):
        page(None)
