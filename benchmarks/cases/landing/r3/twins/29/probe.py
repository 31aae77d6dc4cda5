from uploader.upload import Uploader

calls = []
assert Uploader(calls.append).upload_many({"a": b"", "b": b"1"}, size=1) == 2
assert calls == [[("a", b"")], [("b", b"1")]]
