import torch
is_rocm = hasattr(torch.version, "hip") and torch.version.hip is not None
class A:
	def f(self):
		if 1:
			if is_rocm:
				import _rocm_nvml as pynvml
			else:
				import pynvml
		else:
		    if is_rocm:
		    	import _rocm_nvml as p
		    else:
		    	import pynvml as p
