from restock import Restock

print(Restock().order(pieces=10))
