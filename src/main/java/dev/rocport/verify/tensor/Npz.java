package dev.rocport.verify.tensor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** NumPy's npz format: a zip archive of npy files. */
final class Npz {
  private static final int ENTRIES = 100_000;
  private static final long LARGEST = 2L << 30;
  private static final String ENDING = ".npy";

  private Npz() {}

  static TensorFile read(Path file) throws IOException {
    TreeMap<String, Tensor> tensors = new TreeMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      if (zip.size() > ENTRIES) {
        throw new TensorFileException(file, zip.size() + " entries exceed the limit");
      }
      long total = 0;
      Enumeration<? extends ZipEntry> entries = zip.entries();
      while (entries.hasMoreElements()) {
        ZipEntry entry = entries.nextElement();
        String name = entry.getName();
        if (!name.endsWith(ENDING)) {
          throw new TensorFileException(file, "holds '" + name + "', which is not npy");
        }
        String key = name.substring(0, name.length() - ENDING.length());
        try (InputStream in = zip.getInputStream(entry)) {
          Tensor tensor = Npy.read(file, key, in);
          total += tensor.data().byteSize();
          if (total > LARGEST) {
            throw new TensorFileException(file, "larger than 2 GiB when unpacked");
          }
          if (tensors.put(key, tensor) != null) {
            throw new TensorFileException(file, "contains '" + key + "' twice");
          }
        }
      }
    } catch (ZipException e) {
      throw new TensorFileException(file, "not a complete zip archive: " + e.getMessage());
    }
    return new TensorFile(new TreeMap<>(), tensors);
  }
}
