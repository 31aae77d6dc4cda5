from agents.counter import STATS as STATE
