import pytest

from web.exporter import Exporter
from web.headers import Headers


@pytest.mark.parametrize("table, expected", [
    ("sales", "attachment; filename=sales-2023.csv"),
    ("açai", "attachment; filename=a%C3%A7ai-2023.csv"),
])
def test_download(table, expected):
    exported = Exporter().export(table, 2023)
    assert Headers().disposition(attachment_filename=exported["download_name"])["header"] == expected
