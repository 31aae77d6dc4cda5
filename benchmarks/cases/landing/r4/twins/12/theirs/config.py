"""Settings from app.ini."""
import configparser
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def load(path=os.path.join(HERE, "app.ini")):
    settings = configparser.ConfigParser()
    settings.read(path)
    return settings


def relay(settings):
    """(host, port) of the mail relay."""
    return settings["mail"]["host"], settings["mail"].getint("port")
