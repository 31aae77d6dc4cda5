from forum.comments import Comment, page

out = page("Tea & cake", [Comment(1, "kim", "1 < 2")])
assert "<h1>Tea &amp; cake</h1>" in out, out
assert "<p>1 &lt; 2</p>" in out, out
