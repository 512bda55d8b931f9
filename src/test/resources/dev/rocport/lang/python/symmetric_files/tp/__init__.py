from .layers import (
    RowParallel,
    reduce as reduce_all,  # as others call it
)
