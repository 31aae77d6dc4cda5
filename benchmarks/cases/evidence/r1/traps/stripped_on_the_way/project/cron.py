from chat import Chat
from index import Index

topic = Chat().message()["tag"].strip("#").lower()
print(Index().add(topic=topic)["hits"])
