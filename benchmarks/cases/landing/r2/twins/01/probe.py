import feed
assert feed.feed_path("A bcd") == "/feed/A b"
