from comments import comment
from member import member

assert comment(1, "you & me") == '<p id="c1">you &amp; me</p>'
assert member("a & b") == "<h1>a &amp; b</h1>"
