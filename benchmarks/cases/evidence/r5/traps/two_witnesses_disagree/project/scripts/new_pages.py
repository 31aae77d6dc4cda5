from wiki.nodes import Feed, Wiki

page = Wiki().page("Home")
print(Feed().entry(title=page["title"], date=page["created"])["xml"])
