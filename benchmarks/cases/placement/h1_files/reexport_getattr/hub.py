from agents.counter import STATS as state
