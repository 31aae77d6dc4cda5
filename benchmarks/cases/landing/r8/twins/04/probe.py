from blog.anchors import anchors
from blog.urls import slugify

assert anchors("## One two\n") == [(1, "One two", "one-two")]
assert slugify("One two") == "one-two"
