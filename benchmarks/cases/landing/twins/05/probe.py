from markdown import MarkdownExporter as M
assert '|' in ''.join(M().export([(1, 2)]))
