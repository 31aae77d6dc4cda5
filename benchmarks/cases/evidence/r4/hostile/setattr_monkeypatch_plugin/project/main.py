from lexer import Lexer
from linter import Linter
from plugin import install

print(Linter().lint(words=Lexer().lex("the NATO YELLS")["tokens"]))
install()
print(Linter().lint(words=Lexer().lex("the NATO YELLS")["tokens"]))
