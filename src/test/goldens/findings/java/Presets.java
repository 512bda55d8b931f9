import org.bytedeco.cuda.cudart.CUstream_st;  // want: JAVA-JAVACPP

class Presets {}
