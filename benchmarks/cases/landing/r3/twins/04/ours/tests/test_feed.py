from sitegen.feed import feed


def test_feed():
    posts = [{"title": "A b", "date": "2024-01-01"}, {"title": "C", "date": "2024-01-02"}]
    text = feed(posts, "https://blog.example", limit=1)
    assert "<id>https://blog.example/c</id>" in text
    assert "a-b" not in text
