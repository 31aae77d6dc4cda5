from docs.bus import Bus
from docs.editor import Preview


def test_preview():
    bus = Bus()
    view = Preview(bus)
    bus.emit("saved", {"id": 1, "text": "hello"})
    assert view.text == "hello"
