from bot.gateway import Gateway
from bot.mention import Mention


def test_mention():
    message = Gateway().message({"author": {"id": "80351110224678912"}})
    assert Mention().text(message["author_id"]) == {"text": "<@80351110224678912>"}
