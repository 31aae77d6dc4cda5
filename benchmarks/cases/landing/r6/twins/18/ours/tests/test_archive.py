from archive import file_name
from post import Post


def test_file_name():
    assert file_name(Post("what? now", ""), 2024) == "2024_What__Now.txt"
