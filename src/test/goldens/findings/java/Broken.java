class Broken { String name = "cudaMalloc" }  // want: JAVA-SYNTAX
