from moving import move
from shelf import Shelf

print(move(Shelf(), ["0-15", "0-14"]).books)
