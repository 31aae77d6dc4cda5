from migrate import migrate

assert sorted(migrate({})["users"]) == ["email", "name", "phone"]
