from corpus.plan import Plan
from corpus.trainer import Trainer


def train(words):
    plan = Plan().make(words)
    vector_size = plan["vector_size"]
    return Trainer().fit(size=vector_size, epochs=plan["epochs"])
