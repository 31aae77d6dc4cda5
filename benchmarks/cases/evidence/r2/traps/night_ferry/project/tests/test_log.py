from ferry import RadioLog, Timetable, to_utc


def test_entry():
    board = Timetable().next("Holyhead")
    entry = RadioLog().note(port=board["port"], utc=to_utc(board["departs"], board["port"]))["entry"]
    assert entry.startswith(board["departs"])
