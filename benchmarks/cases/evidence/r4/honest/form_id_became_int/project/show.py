from api.forms import Forms

print(Forms().publish('t'))
