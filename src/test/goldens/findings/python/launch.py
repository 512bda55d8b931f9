import os

import torch
import torch.distributed as dist
import triton.language as tl
from torch.distributed._symmetric_memory import enable_symm_mem_for_group

env = dict(os.environ, TORCHINDUCTOR_MAX_AUTOTUNE_GEMM_BACKENDS="TRITON,CUTLASS")
enable_symm_mem_for_group(dist.group.WORLD.group_name)  # want: PY-SYMM-MEM-GROUP
DTYPE = tl.float8e4nv  # want: PY-TRITON-FP8
OTHER = tl.float32  # ok: PY-TRITON-FP8
