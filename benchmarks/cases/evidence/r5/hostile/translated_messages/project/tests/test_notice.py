import pytest

from notice.nodes import Flight, Notice


@pytest.mark.parametrize("language", ["en", "de"])
def test_gate_is_named(language):
    status = Flight().status("LX4")
    notice = Notice()
    notice.language = language
    assert "B4" in notice.write(gate=status["gate"], minutes=status["delay_min"])["text"]
