fn main() {
    // nvcc is found by cc   ok: BUILD-OTHER
    cc::Build::new().cuda(true).flag("-gencode").file("k.cu").compile("k");  // want: BUILD-OTHER
    println!("cargo:rustc-link-lib=dylib=cudart");  // want: BUILD-OTHER
}
