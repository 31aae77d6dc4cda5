import pager
assert pager.pages(4) == 2
