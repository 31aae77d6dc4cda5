import pytest

from job import Job


class Bad(Job):
    seen = None

    def work(self):
        raise ValueError("no")

    def on_error(self, error):
        self.seen = str(error)


def test_error_hook():
    job = Bad()
    with pytest.raises(ValueError):
        job.run()
    assert job.seen == "no"
