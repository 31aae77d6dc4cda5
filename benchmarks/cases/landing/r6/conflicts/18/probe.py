from archive import file_name
from links import link
from post import Post

p = Post("big news", "")
assert link(p) == "/posts/big-news"
assert file_name(p, 2020) == "2020_Big_News.txt"
