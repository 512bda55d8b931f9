package dev.rocport.device.isa;

import java.util.List;

/** The shapes of images, in the order of the field of instructions. Source: AMD's RDNA3 ISA. */
public enum ImageDim {
  D1("1D", 1, 2),
  D2("2D", 2, 4),
  D3("3D", 3, 6),
  CUBE("CUBE", 3, 4),
  D1_ARRAY("1D_ARRAY", 2, 2),
  D2_ARRAY("2D_ARRAY", 3, 4),
  D2_SAMPLES("2D_MSAA", 3, 4),
  D2_SAMPLES_ARRAY("2D_MSAA_ARRAY", 4, 4);

  private static final List<ImageDim> IN_ORDER = List.of(values());

  private final String text;
  private final int coordinates;
  private final int gradients;

  ImageDim(String text, int coordinates, int gradients) {
    this.text = text;
    this.coordinates = coordinates;
    this.gradients = gradients;
  }

  /** The shape of a number from 0 to 7. */
  static ImageDim of(int number) {
    return IN_ORDER.get(number);
  }

  /** Numbers that address a texel: of an array with its layer, of a cube with its face. */
  public int coordinates() {
    return coordinates;
  }

  /** Derivatives of coordinates, in x and then in y. */
  public int gradients() {
    return gradients;
  }

  /** Coordinates that are places in a plane or volume, not layers, faces or samples. */
  public int axes() {
    return gradients / 2;
  }

  /** Its name in assembly. */
  String text() {
    return "SQ_RSRC_IMG_" + text;
  }
}
