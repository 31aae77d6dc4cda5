from crew import Crew, Roster


def test_both():
    plan = Crew().plan(24)
    assert plan["shifts"] == 3
    people = 3
    assert Roster().print(people=people) == {"rows": 4}
