from channel import Channel
from clock import EPOCH, Clock


def test_message_of_today():
    last = Channel().last()
    assert Clock().created(message_id=last["message_id"])["ms"] == EPOCH + 500
