from src_train.loop import Loop


def test_epoch(parsed):
    assert Loop().run(evaluation_strategy=parsed["eval_strategy"], steps=parsed["steps"]) == {"evaluations": 1}
