define RULES  # want: MAKE-GATE
waves: waves.cu
	nvcc -o $$@ $$<
endef
include $(wildcard *.d)
fft: fft.cu
	nvcc -o $@ $< \
