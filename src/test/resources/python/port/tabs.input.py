import torch
class A:
	def f(self):
		if 1:
			import pynvml
		else:
		    import pynvml as p
