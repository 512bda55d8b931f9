package dev.rocport.doctor;

/**
 * An AMD GPU.
 *
 * @param gfx its architecture, such as {@code gfx942}
 * @param units compute units; 0 if not known
 * @param render number of its node below {@code /dev/dri}; 0 if not known
 */
record Agent(String gfx, int units, int render) {}
