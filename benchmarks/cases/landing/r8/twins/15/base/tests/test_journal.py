from trail.journal import Journal
from trail.service import AuditService


def test_round_trip(tmp_path):
    journal = Journal(str(tmp_path / "audit.log"))
    service = AuditService(journal, iter([100, 250]).__next__)
    service.login("kim")
    service.change("kim", "title")
    assert journal.events() == [(100, "kim", "login"), (250, "kim", "change title")]
