from shell import Shell


def test_add_and_list():
    shell = Shell()
    shell.execute("add bolt 4")
    shell.execute("add nut")
    assert shell.execute("ls") == "bolt nut"


def test_remove():
    shell = Shell()
    shell.execute("add bolt 4")
    assert shell.execute("rm bolt") == "removed 4 bolt"


def test_unknown():
    assert Shell().execute("fly") == "unknown command: fly"
