from client import Client
from settings import load
from watch import deadline

assert deadline(Client(load(), None), 1000) == 1090
