from comments import comments_table

page = comments_table([{"at": 1, "by": "eve", "text": "<script>alert(1)</script>"}])
assert "<script>" not in page, page
