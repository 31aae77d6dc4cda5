from phonebook import Book, Dialer

print(Book().note(phone=Dialer().call()["number"])["rows"])
