from config_reader import Config
from trainer import Trainer


def test_fit_uses_config():
    config = Config().read("model.toml")
    assert Trainer().fit(nb_epoch=config["epochs"], batch_size=config["batch_size"]) == {"steps": 24}
