from pager import Pager
from search import Search

seen, page = [], Search().find("q")
while page.count:
    seen += page.items
    page = Search().find("q", start=len(seen))
print(Pager().pages(hits=len(seen))["pages"])
