import console


def test_state():
    state = {}
    console.run("add bread", state)
    console.run("add jam", state)
    assert state["added"] == 2
