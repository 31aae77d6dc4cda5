"""A test vouches for a call only if the call must work, and give what is expected, for the test to pass."""

from __future__ import annotations

import pytest

from graphbus_core.analysis.corroboration import confirms_call


@pytest.mark.parametrize(
    ("body", "held"),
    [
        ("def test_it():\n    assert CALL == 3", True),
        ("def test_it():\n    got = CALL\n    assert got == 3", True),
        ("class T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(CALL, 3)", True),
        ("def test_it():\n    assert asyncio.run(CALL) == 3", True),
        ("def test_it():\n    CALL", False),  # nobody looks at what it gives
        ("def test_it():\n    assert CALL != 3", False),
        ("def test_it():\n    assert not CALL", False),
        ("def test_it():\n    got = CALL\n    assert got == 3\n    assert got != 4", False),
        ("def test_it():\n    with pytest.raises(KeyError):\n        assert CALL == 3", False),
        ("def test_it():\n    with suppress(KeyError):\n        assert CALL == 3", False),
        ("def test_it():\n    try:\n        assert CALL == 3\n    except KeyError:\n        pass", False),
        ("def test_it(self):\n    self.assertRaises(KeyError, lambda: CALL == 3)", False),
        ("@pytest.mark.xfail\ndef test_it():\n    assert CALL == 3", False),
        ("@pytest.mark.skip(reason='wrong')\nclass Test:\n    def test_it(self):\n        assert CALL == 3", False),
        ("pytestmark = pytest.mark.xfail\ndef test_it():\n    assert CALL == 3", False),
        ("def test_it():\n    pytest.skip('later')\n    assert CALL == 3", False),
    ],
)
def test_a_call_is_vouched_for_or_not(body: str, held: bool) -> None:
    """What is skipped, expected to fail, or held to differ says nothing."""
    text = body.replace("CALL", "Fee().due(wheels=given['axles'])")
    line = next(n for n, one in enumerate(text.splitlines(), 1) if "Fee()" in one)
    assert confirms_call(text.encode(), line) is held


def test_what_cannot_be_read_vouches_for_nothing() -> None:
    """A file that does not parse, a line without a call."""
    assert not confirms_call(b"def (", 1)
    assert not confirms_call(b"def test_it():\n    assert 1 == 1\n", 2)
