type X[T: int, *Ts, **P = [int]] = list[T]
def f[T: (int, str) = int](x: T) -> T: ...
class C[T](Base[T]): pass
s = f"{x["a"]} {f"{y}"} {'\n'.join(z)} {a  # comment
}" f'{x:{y:{z}}}' f"{lambda_:=^10} {(lambda x: 1)(2)} {a != b} {x:\n}"
