from jobs import ReportJob
from scheduler import Scheduler


def test_runs_in_order():
    s = Scheduler()
    s.submit(ReportJob("May"))
    s.submit(ReportJob("June"))
    assert s.run_pending() == ["report for May", "report for June"]
    assert s.run_pending() == []
