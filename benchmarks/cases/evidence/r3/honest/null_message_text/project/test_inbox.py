from bot.inbox import Inbox


def test_poll():
    assert Inbox().poll("ada: hi: there") == {"sender": "ada", "message": "hi: there"}
