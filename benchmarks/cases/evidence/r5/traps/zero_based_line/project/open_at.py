from editor import Editor, Parser

found = Parser().fail("prnt")
print(Editor().jump(line=found["line_index"] + 1)["shows"])
