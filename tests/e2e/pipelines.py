"""Small pipelines that are broken on purpose: three nodes, one seeded mismatch, many ways to write it.

`generate(seed)` is a pure function. Every pipeline says how it is driven, so that a harness can run it end to end.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

KINDS = ("missing", "renamed", "retyped", "optional", "nested")
STYLES = ("method", "topic", "class", "typed_dict", "constant")

WORDS = {
    "sku": ("str", '"A-7"'),
    "qty": ("int", "3"),
    "price": ("float", "9.5"),
    "tags": ("list[str]", '["new", "blue"]'),
    "paid": ("bool", "True"),
    "city": ("str", '"Oslo"'),
    "weight": ("float", "1.25"),
    "note": ("str", '"handle with care"'),
    "count": ("int", "12"),
}
ALIASES = {
    "sku": ("product_sku", "sku_code", "article"),
    "qty": ("quantity", "qty_ordered", "pieces"),
    "price": ("unit_price", "price_eur", "amount"),
    "tags": ("tag_list", "labels", "tags_all"),
    "paid": ("is_paid", "settled", "paid_flag"),
    "city": ("city_name", "town", "destination_city"),
    "weight": ("weight_kg", "mass", "total_weight"),
    "note": ("notes", "remark", "note_text"),
    "count": ("total_count", "counter", "n"),
}
WRONG = {"str": "int", "int": "str", "float": "int", "bool": "str", "list[str]": "str"}


@dataclass
class Pipeline:
    """Files of a project, and how to drive it: `first` is called, each result feeds the next of `chain`."""

    seed: int
    kind: str
    variant: str
    style: str
    files: dict[str, bytes]
    chain: tuple[tuple[str, str], ...]
    topic: str | None = None
    expected: str | None = None  # what the last node must report if it runs
    notes: list[str] = field(default_factory=list)

    @property
    def guess(self) -> bool:
        """Whether nothing but a guess says what is meant: right is a question, and no change."""
        return self.variant in GUESSES

    @property
    def hopeless(self) -> bool:
        """Whether no change of ours could mend it: the value is nowhere, is left out at times, or is computed with."""
        return self.variant in ("nowhere", "sometimes") or (self.kind, self.variant) == ("nested", "missing")


# Nothing but a likeness of names, a default, a body that runs, or a value of the stage before says what is meant.
GUESSES = {"received", "upstream", "default", "alike", "unlike", "renamed", "printed", "computed", "retyped"}


@dataclass
class _Spec:
    """The contracts of the three stages before they are written down."""

    out1: dict[str, str]
    in2: dict[str, str]
    out2: dict[str, str]
    in3: dict[str, str]
    values: dict[str, str]
    defaults3: dict[str, str] = field(default_factory=dict)
    extra_return2: dict[str, str] = field(default_factory=dict)
    body3: list[str] = field(default_factory=list)
    optional_out2: set[str] = field(default_factory=set)
    skip_return2: set[str] = field(default_factory=set)


def generate(seed: int) -> Pipeline:
    """One broken pipeline. The kind and the style go round, what varies within is drawn from the seed."""
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    style = STYLES[(seed // len(KINDS)) % len(STYLES)]
    names = rng.sample(sorted(WORDS), 3)
    fields = {n: WORDS[n][0] for n in names}
    spec = _Spec(dict(fields), dict(fields), dict(fields), dict(fields), {n: WORDS[n][1] for n in names})
    if kind == "nested":
        return _nested(rng, seed, style, names)
    variant = _break(rng, kind, spec, names)
    spec.body3 = spec.body3 or [f"{{{n}}}" for n in spec.in3]
    return _write(rng, seed, kind, variant, style, spec)


def _break(rng: random.Random, kind: str, spec: _Spec, names: list[str]) -> str:
    victim = rng.choice(names)
    kind_of = WORDS[victim][0]
    if kind == "missing":
        variant = rng.choice(["received", "upstream", "returned", "default", "nowhere"])
        del spec.out2[victim]
        if variant == "upstream":
            del spec.in2[victim]
        elif variant == "returned":
            spec.extra_return2[victim] = WORDS[victim][1]
        elif variant == "default":
            del spec.in2[victim], spec.out1[victim]
            spec.defaults3[victim] = WORDS[victim][1]
        elif variant == "nowhere":
            del spec.in2[victim], spec.out1[victim]
        return variant
    if kind == "renamed":
        alias = rng.choice(ALIASES[victim])
        spec.in3 = {alias if n == victim else n: t for n, t in spec.in3.items()}
        return "alike" if victim in alias or alias in victim else "unlike"
    if kind == "retyped":
        variant = rng.choice(["printed", "computed", "declared"])
        if variant == "declared":
            spec.out2[victim] = WRONG[kind_of]
            spec.extra_return2[victim] = {"str": '"x"', "int": "len('abc')", "float": "1.5", "bool": "not False"}.get(
                kind_of, "sorted(['b', 'a'])"
            )
            if kind_of == "list[str]":
                spec.in3[victim] = "list"
            return variant
        spec.in3[victim] = WRONG[kind_of]
        if variant == "computed":
            use = {"int": f"{{{victim} % 2}}", "str": f"{{{victim}.upper()}}"}[WRONG[kind_of]]
            spec.body3 = [use if n == victim else f"{{{n}}}" for n in spec.in3]
        return variant
    variant = rng.choice(["default", "always", "sometimes"])
    spec.optional_out2.add(victim)
    if variant == "default":
        spec.defaults3[victim] = WORDS[victim][1]
        spec.skip_return2.add(victim)
    elif variant == "sometimes":
        spec.skip_return2.add(victim)
    return variant


def _contract(rng: random.Random, fields: dict[str, str], optional: set[str], quote: str) -> str:
    parts = [f"{quote}{n}{quote}: " + (f"NotRequired[{t}]" if n in optional else t) for n, t in fields.items()]
    if rng.random() < 0.5:
        return "{" + ", ".join(parts) + "}"
    return "{\n            " + ",\n            ".join(parts) + ",  # as agreed\n        }"


def _write(rng: random.Random, seed: int, kind: str, variant: str, style: str, spec: _Spec) -> Pipeline:
    quote = rng.choice(["'", '"'])
    ret1 = "{" + ", ".join(f'"{n}": {spec.values[n]}' for n in spec.out1) + "}"
    given2 = {n: spec.extra_return2.get(n, n if n in spec.in2 else spec.values[n]) for n in spec.out2}
    given2.update(spec.extra_return2)
    ret2_lines = _returns(given2, spec)
    body3 = "return {" + '"report": f"' + " ".join(spec.body3) + '"}'
    star = rng.choice(["", "*, "]) if style != "topic" else ""
    hints = rng.random() < 0.6
    c1 = _contract(rng, spec.out1, set(), quote)
    c2i = _contract(rng, spec.in2, set(), quote)
    c2o = _contract(rng, spec.out2, spec.optional_out2, quote)
    c3 = _contract(rng, spec.in3, set(), quote)
    head = "from typing import Any, NotRequired, TypedDict\n\nfrom graphbus_core import GraphBusNode"
    head += ", depends_on, publishes, schema_method, subscribe\n\n\n"
    pre2 = pre3 = ""
    if style == "typed_dict":
        pre3 = "class Wanted(TypedDict):\n    '''What the sink takes.'''\n\n"
        pre3 += "".join(f"    {n}: {t}\n" for n, t in spec.in3.items()) + "\n\n"
        c3 = "Wanted"
        pre2 = "class Sent(TypedDict):\n"
        pre2 += "".join(
            f"    {n}: " + (f"NotRequired[{t}]" if n in spec.optional_out2 else t) + "\n" for n, t in spec.out2.items()
        )
        pre2 += "\n\n"
        c2o = "Sent"
    elif style == "constant":
        pre3 = f"WANTED = {c3}  # the sink's input\n\n\n"
        c3 = "WANTED"
    files = _classes(style, head, (pre2, pre3), (c1, c2i, c2o, c3), spec, (ret1, ret2_lines, body3), star, hints)
    newline = rng.choice(["\n", "\n", "\r\n"])
    encoded = {name: text.replace("\n", newline).encode() for name, text in files.items()}
    chain = (("Source", "produce"), ("Middle", "work"), ("Sink", "finish"))
    return Pipeline(seed, kind, variant, style, encoded, chain, "/go" if style == "topic" else None)


def _returns(given: dict[str, str], spec: _Spec) -> list[str]:
    shown = {n: e for n, e in given.items() if n not in spec.skip_return2}
    literal = "{" + ", ".join(f"'{n}': {e}" for n, e in shown.items()) + "}"
    return [f"return {literal}"]


def _params(fields: dict[str, str], defaults: dict[str, str], star: str, hints: bool) -> str:
    ordered = [n for n in fields if n not in defaults] + [n for n in fields if n in defaults]
    return (
        "self, "
        + star
        + ", ".join(
            n + (f": {fields[n]}" if hints else "") + ((" = " if hints else "=") + defaults[n] if n in defaults else "")
            for n in ordered
        )
    )


def _classes(
    style: str,
    head: str,
    pre: tuple[str, str],
    contracts: tuple[str, str, str, str],
    spec: _Spec,
    bodies: tuple[str, list[str], str],
    star: str,
    hints: bool,
) -> dict[str, str]:
    c1, c2i, c2o, c3 = contracts
    ret1, ret2, body3 = bodies
    if style == "topic":
        unpack2 = "".join(f"        {n} = payload['{n}']\n" for n in spec.in2)
        unpack3 = "".join(
            f"        {n} = payload.get('{n}', {spec.defaults3[n]})\n"
            if n in spec.defaults3
            else f"        {n} = payload['{n}']\n"
            for n in spec.in3
        )
        source = f"{head}class Source(GraphBusNode):\n    SYSTEM_PROMPT = 'I produce.'\n\n"
        source += f"    @subscribe('/go')\n    @publishes('/made', {c1})\n    def produce(self):\n"
        source += f"        self.publish('/made', {ret1})\n"
        middle = f"{head}{pre[0]}class Middle(GraphBusNode):\n    # the middle of the road\n\n"
        middle += f"    @subscribe('/made')\n    @schema_method(input_schema={c2i})\n"
        middle += f"    @publishes('/worked', {c2o})\n    def work(self, payload):\n{unpack2}"
        middle += f"        self.publish('/worked', {ret2[0].removeprefix('return ')})\n"
        sink = f"{head}{pre[1]}class Sink(GraphBusNode):\n    reports = []\n\n    @subscribe('/worked')\n"
        sink += f"    @schema_method(input_schema={c3})\n    def finish(self, payload):\n{unpack3}"
        sink += f"        self.reports.append({body3.removeprefix('return ')})\n"
        return {"source.py": source, "middle.py": middle, "sink.py": sink}
    on_class = style == "class"
    source = f"{head}class Source(GraphBusNode):\n    SYSTEM_PROMPT = 'I produce.'\n\n"
    source += (
        f"    @schema_method(input_schema={{}}, output_schema={c1})\n    def produce(self):\n        return {ret1}\n"
    )
    dep2 = "@depends_on('Source')\n" if on_class else ""
    dep3 = "@depends_on('Middle')\n" if on_class else ""
    mdep2 = '    @depends_on("Source.produce")\n'  # a class dependency alone is a guess, and no finding
    mdep3 = '    @depends_on("Middle.work")\n'
    middle = f"{head}{pre[0]}{dep2}class Middle(GraphBusNode):\n\n{mdep2}    @schema_method(\n"
    middle += f"        input_schema={c2i},\n        output_schema={c2o},\n    )\n"
    middle += f"    def work({_params(spec.in2, {}, star, hints)}):\n        # nothing to see here\n        {ret2[0]}\n"
    sink = f"{head}{pre[1]}{dep3}class Sink(GraphBusNode):\n    SYSTEM_PROMPT = '''I report.'''\n\n{mdep3}"
    sink += f"    @schema_method(input_schema={c3}, output_schema={{'report': str}})\n"
    sink += f"    def finish({_params(spec.in3, spec.defaults3, star, hints)}):\n        {body3}\n"
    return {"source.py": source, "middle.py": middle, "sink.py": sink}


def _nested(rng: random.Random, seed: int, style: str, names: list[str]) -> Pipeline:
    """A list of records travels; the records do not fit inside."""
    style = "method" if style in ("class", "topic") else style
    victim = rng.choice(names)
    kind_of, variant = WORDS[victim][0], rng.choice(["renamed", "retyped", "missing"])
    sent = {n: WORDS[n][0] for n in names}
    taken = dict(sent)
    uses = {n: f"{{r['{n}']}}" for n in taken}
    if variant == "renamed":
        alias = rng.choice(ALIASES[victim])
        taken = {alias if n == victim else n: t for n, t in taken.items()}
        uses = {n: f"{{r['{n}']}}" for n in taken}
    elif variant == "retyped":
        taken[victim] = WRONG[kind_of]
    else:
        taken["origin"] = "str"
        uses["origin"] = "{r['origin']}"
    record = "{" + ", ".join(f'"{n}": {WORDS[n][1]}' for n in sent) + "}"

    def literal(fields: dict[str, str]) -> str:
        return '{"rows": list[{' + ", ".join(f'"{n}": {t}' for n, t in fields.items()) + "}]}"

    c_out, c_in, pre = literal(sent), literal(taken), ""
    if style == "typed_dict":
        pre = "class Row(TypedDict):\n" + "".join(f"    {n}: {t}\n" for n, t in taken.items()) + "\n\n"
        c_in = '{"rows": list[Row]}'
    elif style == "constant":
        pre = f"WANTED = {c_in}\n\n\n"
        c_in = "WANTED"
    head = (
        "from typing import NotRequired, TypedDict\n\nfrom graphbus_core import GraphBusNode, depends_on, schema_method"
    )
    head += "\n\n\n"
    loop = rng.choice(["comprehension", "loop"])
    line = " ".join(uses.values()).replace("'", "'")
    if loop == "comprehension":
        body = f'        return {{"report": "; ".join(f"{line}" for r in rows)}}\n'
    else:
        body = f'        lines = []\n        for r in rows:\n            lines.append(f"{line}")\n'
        body += '        return {"report": "; ".join(lines)}\n'
    source = f"{head}class Source(GraphBusNode):\n    @schema_method(input_schema={{}}, output_schema={c_out})\n"
    source += f'    def produce(self):\n        return {{"rows": [{record}]}}\n'
    sink = f"{head}{pre}class Sink(GraphBusNode):\n    @depends_on('Source.produce')\n"
    sink += (
        f"    @schema_method(input_schema={c_in}, output_schema={{'report': str}})\n    def finish(self, rows):\n{body}"
    )
    files = {"source.py": source.encode(), "sink.py": sink.encode()}
    return Pipeline(seed, "nested", variant, style, files, (("Source", "produce"), ("Sink", "finish")))
