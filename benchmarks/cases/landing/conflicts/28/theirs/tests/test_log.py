from log import memory_log


def test_say():
    m = memory_log()
    m.say('a')
    assert m.out.getvalue() == 'a\n'
