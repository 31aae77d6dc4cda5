from crawler import Crawler
from sheet import Sheet

seen = Crawler().visit(1)
print(Sheet().add(url=seen["address"], status=seen["status"])["row"])
