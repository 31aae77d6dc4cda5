import pytest
from ops import Graph, Reducer


@pytest.fixture
def reduced():
    node = Graph().node()
    return Reducer().mean(values=node["values"], keep_dims=node["keepdims"])
