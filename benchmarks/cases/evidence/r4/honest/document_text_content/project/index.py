from splitter import Splitter
from store import Store

document = Store().fetch("d1")
print(Splitter().split(text=document["content"])["chunks"])
