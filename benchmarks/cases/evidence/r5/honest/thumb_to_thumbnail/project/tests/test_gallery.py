from media.nodes import Gallery, Uploader


def test_gallery_shows_the_small_picture():
    uploader = Uploader()
    uploader.publish = lambda topic, payload: None
    done = uploader.finish("cat")
    assert Gallery().on_upload({"thumb": done["thumbnail"]}) == {"html": "<img src='cat_s.jpg'>"}
