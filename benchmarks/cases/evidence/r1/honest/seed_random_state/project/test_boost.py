from boost import Booster, Split


class TestBooster:
    def setup_method(self):
        self.config = Split().config()

    def test_is_repeatable(self):
        one = Booster().train(seed=self.config.random_state)
        two = Booster().train(seed=self.config.random_state)
        assert one == two
