from cache import PageCache
from refresher import Refresher

pages = PageCache()
print(pages.lookup("/about"))
print(Refresher().consider("/about", 31.0))
