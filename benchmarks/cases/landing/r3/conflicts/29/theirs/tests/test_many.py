from uploader.upload import Uploader


def test_many():
    calls = []
    uploader = Uploader(calls.append)
    assert uploader.upload_many({name: b"12" for name in "abcde"}, size=2) == 3
    assert [len(call) for call in calls] == [2, 2, 1]
    assert uploader.bytes == 10
