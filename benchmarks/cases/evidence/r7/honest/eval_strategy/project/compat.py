"""Old name: new name. Old ones go in version 5; they mean the same."""
DEPRECATED = {
    "evaluation_strategy": "eval_strategy",
    "no_cuda": "use_cpu",
}


def upgrade(options):
    return {DEPRECATED.get(name, name): value for name, value in options.items()}
