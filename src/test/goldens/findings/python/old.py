import torch
print torch.cuda.is_available()  # want: PY-SYNTAX
