from chat import Chat, Presence

print(Presence().since(at=int(Chat().last("lobby")["at"].timestamp() * 1_000))["js"])
