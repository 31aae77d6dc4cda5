from exporters.tree_out import to_xml


def test_xml():
    assert to_xml([{"a": 1}]) == '<rows><row a="1"/></rows>'
