import pytest
from invoices import Invoice


def test_no_empty_lines():
    with pytest.raises(ValueError, match="tea: quantity 0"):
        Invoice("R1").add("tea", 0, 450)
