package demo;

import java.lang.foreign.*;
import java.lang.invoke.MethodHandle;

/** Bindings; the comment names cudaMalloc and libcudart.so. */
final class Panama {
	private static final String RUNTIME = "cudart";
	static final int CUBLAS_OP_N = 0, CUBLAS_OP_T = 0x1;
	static final int CUBLAS_OP_C = 7; // want: JAVA-CONSTANT
	static final int CU_STREAM_NON_BLOCKING = 1;

	enum Fill {
		CUBLAS_FILL_MODE_LOWER(0),
		CUBLAS_FILL_MODE_UPPER(1);

		final int value;

		Fill(int value) { this.value = value; }
	}

	static { System.loadLibrary(RUNTIME); }

	static final SymbolLookup A = SymbolLookup.libraryLookup("libcudart.so.12", Arena.global());
	static final SymbolLookup B = SymbolLookup.libraryLookup("/usr/local/cuda-12.4/lib64/libcublas.so", Arena.global());
	static final SymbolLookup C = SymbolLookup.libraryLookup("native/libnvrtc.so.12", Arena.global()); // want: JAVA-LIBRARY
	static final SymbolLookup D = SymbolLookup.libraryLookup("libnvjpeg.so", Arena.global()); // want: JAVA-LIBRARY
	static final SymbolLookup E = SymbolLookup.libraryLookup(System.mapLibraryName("cufft"), Arena.global());
	static final SymbolLookup F = SymbolLookup.libraryLookup("cudart64_12.dll", Arena.global()); // want: JAVA-LIBRARY
	static final String HOME = System.getenv("CUDA_HOME"); // want: JAVA-PATH
	static final String PATH = "/usr/local/cuda/bin"; // want: JAVA-PATH
	static final String OWN = "cuda"; // no library is loaded by it

	static MethodHandle handle(String name, MemoryLayout... arguments) {
		return Linker.nativeLinker()
				.downcallHandle(A.find(name).orElseThrow(), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
	}

	final MethodHandle allocate = handle("cudaMalloc", ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
	final MethodHandle free = handle("cudaFree", ValueLayout.ADDRESS);
	final MethodHandle pinned = handle("cudaMallocHost", ValueLayout.ADDRESS, ValueLayout.JAVA_LONG); // want: JAVA-ARGUMENTS
	final MethodHandle copy = handle("cuMemcpyDtoD_v2", ValueLayout.JAVA_LONG);
	final MethodHandle plain = handle("cuMemcpy", ValueLayout.JAVA_LONG); // want: JAVA-ARGUMENTS
	final MethodHandle properties = handle("cudaGetDeviceProperties", ValueLayout.ADDRESS); // want: JAVA-ARGUMENTS
	final MethodHandle none = handle("cuTensorMapEncodeTiled", ValueLayout.ADDRESS); // want: JAVA-SYMBOL
	final MemorySegment odd = A.find("cudaNoSuchThing").orElseThrow(); // want: JAVA-SYMBOL
	final MemorySegment thread = A.findOrThrow("cudaMemcpyAsync_ptsz"); // want: JAVA-SYMBOL
	final MethodHandle product = handle("cublasSgemm_v2", ValueLayout.ADDRESS); // want: JAVA-NUMBERS
	final MethodHandle again = handle("cublasDgemm_v2", ValueLayout.ADDRESS);
	final MethodHandle scaled = handle("cublasSscal_v2", ValueLayout.ADDRESS);

	void check(int error) {
		if (error != 0) throw new IllegalStateException("cudaMalloc failed: " + error);
	}
}
