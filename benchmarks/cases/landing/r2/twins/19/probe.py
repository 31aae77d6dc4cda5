import more
assert more.Bye().run() == "bye"
