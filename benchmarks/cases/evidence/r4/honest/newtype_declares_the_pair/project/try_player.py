from player import Player
from types_ import TrackId

print(Player().play(TrackId(1))["text"])
