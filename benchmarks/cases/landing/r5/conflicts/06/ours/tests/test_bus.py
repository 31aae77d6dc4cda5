from docs.bus import Bus
from docs.editor import Preview


def test_closed_preview_is_freed():
    bus = Bus()
    view = Preview(bus)
    del view
    bus.emit("saved", {"id": 1, "text": "x"})
    assert bus._listeners["saved"] == []


def test_preview():
    bus = Bus()
    view = Preview(bus)
    bus.emit("saved", {"id": 1, "text": "hello"})
    assert view.text == "hello"
