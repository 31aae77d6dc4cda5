from bikes.dock import Dock
from bikes.map import Map


def test_line():
    released = Dock().release(dock=5)
    assert Map().on_ride({"vehicle": released["bike"], "dock": released["dock"]}) == "b-77 left 5"
