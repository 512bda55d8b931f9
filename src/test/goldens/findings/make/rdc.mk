%.o: %.cu
	nvcc -dc -o $@ $<
device.o: a.o b.o
	nvcc -dlink -o $@ $^  # want: MAKE-RDC
waves: a.o b.o device.o main.o
	g++ -o $@ $^ -lcudart  # ok: MAKE-RDC
