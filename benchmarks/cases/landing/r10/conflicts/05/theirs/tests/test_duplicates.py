from jobs import ReportJob
from scheduler import Scheduler


def test_same_job_waits_only_once():
    s = Scheduler()
    assert s.submit(ReportJob("May"))
    assert not s.submit(ReportJob("May"))
    assert s.run_pending() == ["report for May"]


def test_other_arguments_are_another_job():
    s = Scheduler()
    assert s.submit(ReportJob("May"))
    assert s.submit(ReportJob("June"))


def test_may_come_again_after_it_ran():
    s = Scheduler()
    s.submit(ReportJob("May"))
    s.run_pending()
    assert s.submit(ReportJob("May"))
