from sitegen.feed import feed
from sitegen.pages import page_path

assert "<id>https://x.example/hello-world</id>" in feed([{"title": "Hello world", "date": "2024-03-03"}], "https://x.example")
assert page_path("A  B") == "/posts/a-b.html"
