import pytest

from clinic.triage import Triage


@pytest.mark.parametrize("which", ["diastolic", "systolic"])
def test_someone_healthy_is_green(measured, which):
    assert Triage().colour(pressure=measured[which]) == {"colour": "green"}
