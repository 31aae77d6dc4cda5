from es import Header, Search

found = Search().run("the")
print(found["ids"], found["total"]["relation"])
print(Header().line(1)["header"])
