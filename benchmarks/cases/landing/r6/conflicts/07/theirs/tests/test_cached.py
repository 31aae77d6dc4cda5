from menu import load_menu


def test_second_load_is_from_cache():
    load_menu("wed")
    hits = load_menu.cache_info().hits
    load_menu("wed")
    assert load_menu.cache_info().hits == hits + 1
