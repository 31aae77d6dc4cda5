import scope
assert scope.use(lambda pool: 3) == 3
