from shares import shares

assert shares(["who;amount", "ann;10", "bob;30"]) == {"ann": 25, "bob": 75}
