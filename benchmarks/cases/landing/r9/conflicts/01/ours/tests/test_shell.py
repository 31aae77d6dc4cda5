from shell import Shell


def test_add_and_list():
    shell = Shell()
    shell.execute("add bolt 4")
    shell.execute("add nut")
    assert shell.execute("ls") == "bolt nut"


def test_remove():
    shell = Shell()
    shell.execute("add bolt 4")
    assert shell.execute("remove bolt") == "removed 4 bolt"


def test_short_forms():
    shell = Shell()
    shell.execute("add bolt 2")
    shell.execute("mv bolt m6-bolt")
    assert shell.execute("ls") == shell.execute("list") == "m6-bolt"


def test_unknown():
    assert Shell().execute("fly") == "unknown command: fly"
