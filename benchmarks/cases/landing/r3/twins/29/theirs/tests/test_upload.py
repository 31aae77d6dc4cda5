from uploader.upload import Uploader


def test_upload():
    calls = []
    uploader = Uploader(calls.append)
    uploader.upload("a", b"x" * 1500)
    assert uploader.summary() == "1.5 kB uploaded"
    assert calls[0][0][0] == "a"
