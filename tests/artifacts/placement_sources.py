"""Nodes that keep something, and nodes that do not, as sources."""

# ruff: noqa: E501

SHARED = {
    "only made": """
        class N:
            def __init__(self):
                self.table = {}
            def on_start(self):
                self.table["a"] = 1
    """,
    "locals": """
        class N:
            def __init__(self):
                self.table = {"a": 1}
            def look(self, key):
                found = []
                found.append(self.table[key])
                rows = {}
                rows[key] = 1
                return found
    """,
    "what it is given": """
        class N:
            def hear(self, payload):
                self.bus.publish("/T", {})
    """,
    "a variable of the module that is only read": """
        TABLE = {"a": 1}
        class N:
            def hear(self, payload):
                return TABLE[payload["x"]]
    """,
    "a local of the same name": """
        ROWS = []
        class N:
            def hear(self, payload):
                ROWS = []
                ROWS.append(1)
    """,
    "a cache that says so": """
        class N:
            SHARED = True
            def hear(self, payload):
                self.cache[payload["x"]] = 1
    """,
    "in a negotiation": """
        class N:
            def propose(self, seen):
                self.seen = seen
    """,
    "another object": """
        class N:
            def hear(self, payload):
                payload["x"] = 1
                payload.setdefault("y", []).append(2)
    """,
    "lists, records and groups of one event": """
        import math, json, re, itertools, functools, collections, logging, time, hashlib, random, asyncio, datetime, os, copy
        from dataclasses import dataclass, field, replace
        from enum import Enum
        from graphbus_core import GraphBusNode, subscribe, schema_method, publishes
        
        log = logging.getLogger(__name__)
        RATES = {"a": 1.0, "b": [1,2]}
        PATTERN = re.compile("x")
        @dataclass
        class Line:
            sku: str
            qty: int = 1
            tags: list = field(default_factory=list)
            def total(self): return self.qty * RATES["a"]
            def add(self, t): self.tags.append(t); return self
        class Basket:
            def __init__(self): self.lines = []; self.count = 0
            def put(self, line): self.lines.append(line); self.count += 1
            def __iter__(self): return iter(self.lines)
            def __len__(self): return len(self.lines)
        def walk(tree, out=None):
            if out is None: out = []
            for k in tree.get("kids", []):
                out.append(k["name"]); walk(k, out)
            return out
        class N(GraphBusNode):
            SUBSCRIBE = {"/a": "on_a"}
            limits = {"x": 3}
            def __init__(self, bus=None, memory=None):
                super().__init__(bus, memory)
                self.table = {k: v for k, v in RATES.items()}
                self._prefix = "x"
            def on_a(self, payload):
                b = Basket()
                for raw in payload["lines"]:
                    b.put(Line(raw["sku"], qty=raw["qty"]).add("t"))
                total = sum(l.total() for l in b)
                counts = collections.Counter(l.sku for l in b)
                groups = collections.defaultdict(list)
                for l in b: groups[l.sku].append(l)
                rows = sorted(groups.items(), key=lambda kv: kv[0])
                m = PATTERN.match(payload["x"])
                log.info("hi %s", total)
                names = walk(payload)
                names.sort(key=len, reverse=True)
                d = dict(self.table); d.update(payload); d["z"] = 1
                seen = set()
                for n in names:
                    if n in seen: continue
                    seen.add(n)
                it = iter(names); first = next(it, None)
                h = hashlib.sha256(); h.update(b"x")
                self.publish("/b", {"total": round(total, 2), "h": h.hexdigest(), "rows": [(k, len(v)) for k, v in rows], "m": m.group(0) if m else None, "w": self._wrap(names)})
                self.call("Other", "x", a=1)
            def _wrap(self, names):
                acc = []
                def go(i):
                    nonlocal acc
                    acc = acc + [i]
                    acc.append(i)
                for n in names: go(n)
                return acc
            @subscribe("/c")
            async def on_c(self, payload: dict):
                rng = random.Random(payload["seed"])
                await asyncio.sleep(0)
                await self.apublish("/d", {"n": rng.random(), "t": time.time(), "u": [rng.choice([1,2])]})
        """,
    "stages, closures and caches of what is always the same": """
        import math, json, re, itertools, functools, collections, logging, time, hashlib, random, asyncio, datetime, os, copy
        from dataclasses import dataclass, field, replace
        from enum import Enum
        from graphbus_core import GraphBusNode, subscribe, schema_method, publishes
        
        class Kind(Enum):
            A = "a"
            B = "b"
            def label(self): return self.value.upper()
        @functools.lru_cache(maxsize=None)
        def fib(n): return n if n < 2 else fib(n-1) + fib(n-2)
        HANDLERS = {}
        def register(name):
            def deco(f):
                HANDLERS[name] = f
                return f
            return deco
        @register("up")
        def up(x): return x.upper()
        @register("down")
        def down(x): return x.lower()
        def logged(f):
            @functools.wraps(f)
            def inner(self, payload):
                return f(self, payload)
            return inner
        class Stage:
            def run(self, x): raise NotImplementedError
        class Upper(Stage):
            def run(self, x): return x.upper()
        class N(GraphBusNode):
            def __init__(self, factor: int = 3):
                self.stages = [Upper(), Upper()]
                self.factor = factor
            @subscribe("/a")
            @logged
            def on_a(self, payload):
                v = payload["v"]
                for s in self.stages: v = s.run(v)
                k = Kind(payload["k"])
                match payload:
                    case {"a": [x, *rest]}: v += str(x); rest.append(1)
                    case {"op": "up"}: v = HANDLERS["up"](v)
                stack = [payload]
                while stack:
                    top = stack.pop()
                    stack.extend(top.get("kids", []))
                grid = [[0]*3 for _ in range(3)]
                grid[0][1] = 5
                with open("x") as f: text = f.read()
                gen = (x for x in range(3))
                out = list(itertools.chain(gen, [1]))
                parts = v.split(","); parts.append("x")
                try:
                    q = int(v)
                except ValueError as e:
                    q = str(e)
                for i, (a, b) in enumerate(zip(parts, out)): parts[i] = a
                self.publish("/b", {"v": v, "k": k.label(), "f": fib(10), "n": self.factor, "dt": datetime.datetime.now().isoformat(), "c": copy.deepcopy(payload)})
        """,
}
ALONE = {
    "an item": (
        "class N:\n    rows = {}\n    def hear(self, p):\n        self.rows[p] += 1",
        "hear changes N.rows (m.py:4)",
    ),
    "a list": ("class N:\n    def hear(self, p):\n        self.all.append(p)", "hear changes self.all (m.py:3)"),
    "deep": (
        "class N:\n    def hear(self, p):\n        self.a.b['c'].d = p",
        "hear changes self.a.b['c'].d, which is not read (m.py:3)",
    ),
    "state": ("class N:\n    def get_state(self):\n        return {}", "it keeps state (get_state, m.py:2)"),
    "a heap": (
        "from heapq import heappush\nclass N:\n    due = []\n    def hear(self, p):\n        heappush(self.due, p)",
        "hear changes N.due (m.py:5)",
    ),
    "a number": (
        "import itertools\nclass N:\n    ids = itertools.count()\n    def hear(self, p):\n        return next(self.ids)",
        "hear uses up N.ids (m.py:5)",
    ),
    "its class": (
        "class N:\n    seen = 0\n    def hear(self, p):\n        N.seen += 1",
        "hear changes N.seen (m.py:4)",
    ),
    "deleted": (
        "class N:\n    def __init__(self): self.rows = {}\n    def hear(self, p):\n        del self.rows[p]",
        "hear changes self.rows (m.py:4)",
    ),
    "memory": (
        "class N:\n    def hear(self, p):\n        self.memory.state['x'] = p",
        "hear uses self.memory (m.py:3)",
    ),
    "a note": ("class N:\n    def hear(self, p):\n        self.memory.note(x=p)", "hear uses self.memory (m.py:3)"),
    "global": (
        "COUNT = 0\nclass N:\n    def hear(self, p):\n        global COUNT\n        COUNT += 1",
        "hear changes COUNT of its module (m.py:5)",
    ),
    "its module": (
        "from collections import deque\nROWS = deque()\nclass N:\n    def hear(self, p):\n        ROWS.append(p)",
        "hear changes ROWS of its module (m.py:5)",
    ),
    "said": ("class N:\n    SHARED = False", "it says SHARED = False"),
    "unreadable": ("class N(:", "its source cannot be read"),
}
HIDDEN = {
    "alias": "class N:\n    def __init__(self): self.rows=[]\n    def on(self,p):\n        r=self.rows\n        r.append(p)",
    "closure": "def mk():\n    n=0\n    def f():\n        nonlocal n\n        n+=1\n        return n\n    return f\nclass N:\n    def __init__(self): self.f=mk()\n    def on(self,p): return self.f()",
    "deco": "def counted(f):\n    c=[0]\n    def w(self,p):\n        c[0]+=1\n        return f(self,p)\n    return w\nclass N:\n    @counted\n    def on(self,p): return 1",
    "default": "class N:\n    def on(self,p,seen=[]):\n        seen.append(p)",
    "count": "import itertools\nids=itertools.count()\nclass N:\n    def on(self,p): return f'{next(ids)}'",
    "dict": "class N:\n    def on(self,p): self.__dict__['x']=1",
    "setattr": "class N:\n    def on(self,p): setattr(self,p['k'],1)",
    "type": "class N:\n    n=0\n    def on(self,p): type(self).n += 1",
    "funcattr": "def f(): pass\nclass N:\n    def on(self,p): f.n = getattr(f,'n',0)+1",
    "cache": "import functools,time\n@functools.cache\ndef f(x): return time.time()\nclass N:\n    def on(self,p): return f(1)",
    "cachelist": "import functools\n@functools.cache\ndef f(x): return []\nclass N:\n    def on(self,p): f(1).append(p)",
    "prop": "class N:\n    def __init__(self): self._n=0\n    @property\n    def nxt(self):\n        self._n+=1\n        return self._n\n    def on(self,p): return self.nxt",
    "rng": "import random\nclass N:\n    def __init__(self): self.r=random.Random(7)\n    def on(self,p): return self.r.random()",
    "mod": "import random\nclass N:\n    def on(self,p): return random.random()",
    "env": "import os\nclass N:\n    def on(self,p): os.environ['X']=str(p)",
    "file": "class N:\n    def on(self,p):\n        with open('x','a') as f: f.write('y')",
    "path": "from pathlib import Path\nclass N:\n    def on(self,p):\n        Path('x').write_text('y')",
    "dd": "from collections import defaultdict\nclass N:\n    def __init__(self): self.d=defaultdict(int)\n    def on(self,p): return self.d[p['x']]",
    "gen": "def g():\n    t=0\n    while True:\n        x = yield t\n        t+=1\nclass N:\n    def __init__(self): self.g=g(); next(self.g)\n    def on(self,p): return self.g.send(1)",
    "partial": "from functools import partial\nclass N:\n    def __init__(self):\n        self.rows=[]\n        self.add=partial(self.rows.append)\n    def on(self,p): self.add(p)",
    "bound": "class N:\n    def __init__(self):\n        self.rows=[]\n        self.add=self.rows.append\n    def on(self,p): self.add(p)",
    "map": "class N:\n    def __init__(self): self.rows=[]\n    def on(self,p): list(map(self.rows.append, p['x']))",
    "provider": "class N:\n    def __init__(self, db): self.db=db\n    def on(self,p): return self.db.get(1)",
    "iadd": "class N:\n    def __init__(self): self.t=[]\n    def on(self,p):\n        t=self.t\n        t+=[1]",
    "nested": "class N:\n    def __init__(self): self.t={'a':{'b':[]}}\n    def on(self,p):\n        for k,v in self.t.items():\n            for q in v.values(): q.append(1)",
    "obj": "class C:\n    def __init__(self): self.n=0\n    def inc(self): self.n+=1; return self.n\nclass N:\n    def __init__(self): self.c=C()\n    def on(self,p): return self.c.inc()",
    "iter": "class N:\n    def __init__(self): self.it=iter([1,2,3])\n    def on(self,p):\n        for x in self.it: return x",
    "singleton": "class S:\n    _i=None\n    def __new__(cls):\n        if cls._i is None: cls._i=super().__new__(cls); cls._i.n=0\n        return cls._i\nclass N:\n    def on(self,p):\n        s=S(); s.n+=1; return s.n",
    "desc": "class D:\n    def __init__(self): self.n=0\n    def __get__(self,o,t):\n        self.n+=1\n        return self.n\nclass N:\n    x=D()\n    def on(self,p): return self.x",
    "thread": "import threading\nclass N:\n    def __init__(self): self.n=0\n    def on_start(self): threading.Thread(target=self._t).start()\n    def _t(self): self.n+=1\n    def on(self,p): return self.n",
    "ctx": "import contextvars\nv=contextvars.ContextVar('v',default=0)\nclass N:\n    def on(self,p):\n        v.set(v.get()+1)",
    "globals": "n=0\nclass N:\n    def on(self,p): globals()['n']+=1",
    "walrus": "class N:\n    def __init__(self): self.r=[]\n    def on(self,p):\n        if (x:=self.r) is not None: x.append(1)",
    "kw": "class N:\n    def __init__(self): self.r=[]\n    def h(self,*,into): into.append(1)\n    def on(self,p): self.h(into=self.r)",
    "star": "class N:\n    def __init__(self): self.r=[]\n    def _h(self,*a,**k): k['into'].append(1)\n    def on(self,p): self._h(**{'into':self.r})",
    "tern": "class N:\n    def __init__(self): self.r=[]\n    def on(self,p):\n        x = self.r if p else []\n        x.append(1)",
    "pair": "class N:\n    def __init__(self): self.r={'a':[]}\n    def on(self,p):\n        for q in self.r.items(): q[1].append(1)",
    "getattr": "class N:\n    def __init__(self): self.r=[]\n    def on_x(self,p): getattr(self,'_do_'+p['k'])()\n    def _do_a(self): self.r.append(1)",
    "exec": "class N:\n    def on(self,p): exec('x')",
    "dunder": "class Box:\n    def __init__(self): self.n=0\n    def __len__(self):\n        self.n+=1\n        return self.n\nbox=Box()\nclass N:\n    def on(self,p): return len(box)",
    "with": "class C:\n    def __enter__(self): global n; n+=1\n    def __exit__(self,*a): pass\nn=0\nclass N:\n    def on(self,p):\n        with C(): pass",
    "lambda": "class N:\n    def __init__(self):\n        self.r=[]\n        self.f=lambda x: self.r.append(x)\n    def on(self,p): self.f(p)",
    "cls": "class N:\n    seen=set()\n    @classmethod\n    def mark(cls,x): cls.seen.add(x)\n    def on(self,p): self.mark(p)",
    "static": "SEEN=[]\nclass N:\n    @staticmethod\n    def mark(x): SEEN.append(x)\n    def on(self,p): self.mark(p)",
    "base": "class B:\n    def __init__(self): self.q=[]\n    def push(self,x): self.q.append(x)\nclass N(B):\n    def on(self,p): super().push(p)",
    "objset": "class N:\n    def on(self,p): object.__setattr__(self,'x',1)",
    "logging": "import logging\nlog=logging.getLogger()\nclass N:\n    def on(self,p): log.addHandler(p)",
    "sorter": "class N:\n    def __init__(self): self.r=[]\n    def on(self,p): return sorted(p['x'], key=lambda v: self.r.append(v) or 1)",
    "setdef": "class N:\n    def __init__(self): self.r={}\n    def on(self,p): return self.r.setdefault('x', p)",
    "comp": "class N:\n    def __init__(self): self.r=[]\n    def on(self,p): [self.r.append(x) for x in p['x']]",
    "unp": "class N:\n    def __init__(self): self.r=[]\n    def on(self,p):\n        a, b = self.r, 1\n        a.append(b)",
    "ret": "class N:\n    def __init__(self): self.r=[]\n    def _g(self): return self.r\n    def on(self,p): self._g().append(1)",
    "sql": "import sqlite3\nclass N:\n    def __init__(self): self.c=sqlite3.connect(':memory:')\n    def on(self,p): self.c.execute('x')",
    "weak": "class T(dict):\n    pass\nCACHE=T()\nclass N:\n    def on(self,p): CACHE['x']=1",
    "lock": "class N:\n    def __init__(self): self.st={'n':0}\n    async def on(self,p):\n        s=self.st\n        s['n']=s['n']+1",
    "module object": "import sys\nTHIS = sys.modules[__name__]\nlast = 1\nclass N:\n    def on(self,p): THIS.last = p",
    "methodcaller": "from operator import methodcaller\nclass N:\n    def __init__(self): self.r=[]\n    def on(self,p): methodcaller('append', p)(self.r)",
    "copied": "import copy\nclass N:\n    def __init__(self): self.r=[]\n    def on(self,p): copy.copy(self).r.append(p)",
    "setter": "SEEN=[]\nclass B:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): SEEN.append(v)\nclass N:\n    def on(self,p):\n        B().x = p",
    "break": "class N:\n    def __init__(self): self.r=[]\n    def on(self,p):\n        x = []\n        for q in p['l']:\n            x = self.r\n            if q: break\n            x = []\n        x.append(1)",
    "raised": "class N:\n    def __init__(self): self.r=[]\n    def on(self,p):\n        try:\n            raise ValueError(self.r)\n        except ValueError as e:\n            e.args[0].append(p)",
    "truth": "class T:\n    n=0\n    def __bool__(self):\n        T.n += 1\n        return T.n > 3\nclass N:\n    def on(self,p):\n        return 1 if T() else 2",
    "keys": "class K:\n    def __init__(self): self.n=0\nk=K()\nclass N:\n    def on(self,p):\n        d={}\n        d[k]=1\n        for q in d: q.n += 1",
    "subclasses": "ALL={}\nROWS=[]\nclass B:\n    def __init_subclass__(cls): ALL[cls.__name__]=cls\nclass C(B):\n    def __init__(self): ROWS.append(1)\nclass N:\n    def on(self,p): ALL['C']()",
    "enum": "from enum import Enum\nclass E(Enum):\n    A=[]\nclass N:\n    def on(self,p): E.A.value.append(p)",
}
