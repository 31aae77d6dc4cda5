from pages.comments import show

out = show([{"text": "fish & chips"}])
assert out == '<p class="comment">fish &amp; chips</p>', out
