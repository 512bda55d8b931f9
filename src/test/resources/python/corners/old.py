import os, sys as system
from . import a
from ..b.c import (d, e as f,)
x = y = z, = 1,
x: int
w: "list[int]" = [*range(3), *x]
@dec.a(1)
@(lambda f: f)
async def f(a, /, b: int = 1, *c, d=2, **e) -> None:
	async with a as b, c() as (d, e):
		await x
	async for i, *j in y: yield i
	else:
		x = (yield)
	global q, r; del x[0], (y), z
class K(A, metaclass=M, **kw): pass
if (n := len(x)) > 1 < 2 is not None not in y: pass
elif not a and b or c if d else e: x @= 1
else: x **= -2 ** -3
lam = lambda *, a=1, **k: (yield)
t = f"{x!r:>{width}} {{}} {y=} {z = !s} {d['a']:{'x'}^{n}}" 'tail' u'' if 0 else rb'\x' b''
s = {1, 2, *x}; d = {**a, 'b': 1, 'c': lambda: 0,}; g = {k: v for k, v in x if k if v}
gen(i for i in x if i for j in i); call(*a, b, *c, k=1, **d, **e)
sl = a[1:2, ::3, ..., None][:][b:=1] if 0 else a[1:,]
try: pass
except (A, B) as e: raise X from e
except: assert a, 'b'
else: pass
finally: nonlocal_ = 1
with (open(a) as f, open(b)): pass
with (a), (b) as c: pass
with (yield): pass
while 1: break
else: continue_ = 0x1F + 0b1 + 1_000.5e-3j + 1.j + .5 + 1if x else 2
for x in *a, b: print(x, end='')
match = 1; case = match; type = case
match[0] = match (1)
print(match, type)
a = b if c else d if e else f
x = not -y ** 2 .real
if x:
    # comment
  # odd comment
    pass
 # odder
y = (
  1
 ,)
z = a \
    + b
