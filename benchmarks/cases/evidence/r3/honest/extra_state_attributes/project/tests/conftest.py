import pytest

from home.card import Card
from home.entity import Entity


@pytest.fixture(params=[100, 20])
def drawn(request):
    state = Entity().state(battery=request.param)
    yield request.param, Card().draw(device_state_attributes=state["extra_state_attributes"])
