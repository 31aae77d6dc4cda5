from wiki.feed import feed
from wiki.pages import Wiki

wiki = Wiki()
wiki.add("News", "first")
assert "/page/news" in feed(wiki, "https://wiki.example")
