import pager
assert pager.pages(51) == 2
