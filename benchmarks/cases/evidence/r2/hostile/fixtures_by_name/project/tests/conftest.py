import inspect

import pytest

from quarry import Mason, Quarry


@pytest.fixture
def blasted():
    return Quarry().blast(kg=8)


@pytest.fixture
def blocks(blasted):
    return blasted["stones"]


@pytest.fixture
def keywords(request):
    names = list(inspect.signature(inspect.unwrap(Mason.build)).parameters)[1:]
    return {name: request.getfixturevalue(name) for name in names}
