import pytest

from trade import nodes


@pytest.fixture(params=["Market"])
def quote(request):
    return getattr(nodes, request.param)().quote("pan")
