import pytest
from sorter import Sorter
from tracker import Tracker


@pytest.fixture(params=["P-1", "P-77"])
def event(request):
    return Sorter().scan(request.param)


def test_line(event):
    assert Tracker().note(tracking_id=event["parcel"])["line"].endswith("passed")
