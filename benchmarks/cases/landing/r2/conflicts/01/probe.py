import feed
assert feed.feed_path("A b") == "/feed/a-b"
