from bagging import Bagging, Recipe


def test_small_data_get_trees():
    recipe = Recipe().pick(10)
    built = Bagging().build(base_estimator=recipe["estimator"], n_estimators=recipe["n_estimators"])
    assert built["names"][0] == "tree-0"
