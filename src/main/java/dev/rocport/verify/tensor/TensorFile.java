package dev.rocport.verify.tensor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The contents of a tensor file.
 *
 * @param metadata of the file; empty for npy and npz
 * @param tensors by name
 */
public record TensorFile(SortedMap<String, String> metadata, SortedMap<String, Tensor> tensors) {
  private static final int MAGIC = 6;

  public TensorFile {
    metadata = Collections.unmodifiableSortedMap(new TreeMap<>(metadata));
    tensors = Collections.unmodifiableSortedMap(new TreeMap<>(tensors));
  }

  /**
   * Reads safetensors, also compressed with xz, npy or npz, depending on the first bytes.
   *
   * @throws TensorFileException if it is none of them, damaged, or inconsistent
   */
  public static TensorFile read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new TensorFileException(file, Files.exists(file) ? "not a file" : "no such file");
    }
    byte[] start = new byte[MAGIC];
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer buffer = ByteBuffer.wrap(start);
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // Until there are six bytes or the file ends.
      }
    }
    if (Npy.isNpy(start)) {
      return Npy.read(file);
    }
    if (XzFile.isXz(start)) {
      return Safetensors.read(file, XzFile.read(file));
    }
    // A header of a safetensors file that is 19,280 bytes long begins with PK, too.
    boolean zip = start[0] == 'P' && start[1] == 'K' && start[2] == 3 && start[3] == 4;
    return zip ? Npz.read(file) : Safetensors.read(file);
  }
}
