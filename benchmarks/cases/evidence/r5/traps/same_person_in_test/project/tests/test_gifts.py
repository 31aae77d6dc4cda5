import pytest

from gifts.nodes import Courier, Shop


@pytest.fixture
def ordered():
    shop, sent = Shop(), []
    shop.publish = lambda topic, payload: sent.append(payload)
    shop.order("Ida", note="for me")
    return sent[0]


def test_same_door(ordered):
    receiver = "Ida" if ordered["note"] == "for me" else ordered["note"].removeprefix("for ")
    assert Courier().deliver({"receiver": receiver})["ring_at"] == ordered["buyer"]
