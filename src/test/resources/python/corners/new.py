match x, y:
    case [1, Point(x=0) as p, *_] | {"a": 1, **rest} if p > 1:
        pass
    case -1 | 2 + 3j | "s" "t" | a.b.C() | (a, b) | None: pass
    case _:
        match y:
            case str(): z
try:
    pass
except* (A, B) as e:
    pass
def f(x, *args: *Ts): return x[*a, 1]
