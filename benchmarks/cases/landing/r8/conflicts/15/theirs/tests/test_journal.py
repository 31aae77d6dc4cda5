from trail.journal import Journal
from trail.service import AuditService


def test_round_trip(tmp_path):
    journal = Journal(str(tmp_path / "audit.log"))
    service = AuditService(journal, iter([100, 250]).__next__)
    service.login("kim")
    service.change("kim", "title")
    assert journal.events() == [(100, "kim", "login"), (250, "kim", "change title")]


def test_tabs_do_not_break_a_line(tmp_path):
    journal = Journal(str(tmp_path / "audit.log"))
    journal.append(1, "kim", "a\tb")
    assert journal.events() == [(1, "kim", "a b")]


def test_old_lines_are_read(tmp_path):
    path = tmp_path / "audit.log"
    path.write_text("7\tkim\tlogin\n")
    assert Journal(str(path)).events() == [(7, "kim", "login")]
