from jobs.people import PeopleJob


def test_people():
    job = PeopleJob()
    assert job.run([{"name": "ann"}, {}]) == 1
    assert job.names == ["Ann"] and job.errors == ["no name"]
