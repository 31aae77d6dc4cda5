from macros import expand, play
from shell import Shell


def test_expand_fills_in_arguments():
    assert expand("replace", "m5", "m6", "20")[-1] == "add m6 20"


def test_play_returns_the_last_answer():
    shell = Shell()
    assert play(shell, "restock", "washer") == "washer"
    assert shell.inventory.count("washer") == 100


def test_replace_brings_in_the_new_part():
    shell = Shell()
    shell.execute("add m5 3")
    assert play(shell, "replace", "m5", "m6", "20") == "m6: 20"
