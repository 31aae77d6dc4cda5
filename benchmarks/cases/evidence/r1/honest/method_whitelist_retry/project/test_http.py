import pytest
from http_client import RetryPolicy, Session


@pytest.mark.parametrize("make", [RetryPolicy])
def test_get_is_retried(make):
    retry = make().make()
    assert Session().mount(method_whitelist=retry["allowed_methods"])["retries_get"]


def test_direct():
    retry = RetryPolicy().make()
    assert Session().mount(method_whitelist=retry["allowed_methods"]) == {"retries_get": True}
