import head
assert head.first("a\nb") == "a"
