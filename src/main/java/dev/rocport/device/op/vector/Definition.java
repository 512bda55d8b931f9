package dev.rocport.device.op.vector;

import dev.rocport.device.isa.DataType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an opcode does, apart from the modifiers of an instruction.
 *
 * @param result the type of the destination register, or null where there is none
 * @param sources the sources in the order of {@link Lane}; one more than the instruction has where
 *     the opcode reads its destination
 * @param lane the result, or null
 * @param test the bit that goes to a scalar register, or null
 * @param form the way on vectors of the CPU, or null where there is no need of one
 * @param takesMask reads a mask from a scalar register
 * @param clamped the result under the clamp bit, where that is not the float clamp to 0..1
 * @param implied a third source that no operand names
 * @param keepsHalf a result of 16 bits leaves the other half of the register alone
 * @param modal depends on the denormal and rounding bits of MODE
 * @param rounded the result under another rounding than to nearest, or null
 * @param saturated the result where MODE lets overflow saturate (FP16_OVFL), for codes of 8 bits;
 *     null elsewhere
 */
record Definition(
    @Nullable DataType result,
    List<DataType> sources,
    @Nullable Lane lane,
    @Nullable Test test,
    @Nullable VectorForm form,
    boolean takesMask,
    @Nullable Lane clamped,
    int @Nullable [] implied,
    boolean keepsHalf,
    boolean modal,
    @Nullable Rounded rounded,
    @Nullable Lane saturated) {

  /** A result under a rounding mode: 0 to nearest, 1 up, 2 down, 3 to zero. */
  @FunctionalInterface
  interface Rounded {
    long apply(long a, long b, long c, int rounding);
  }

  static Definition of(Lane lane, DataType result, DataType... sources) {
    return new Definition(
        result, List.of(sources), lane, null, null, false, null, null, false, false, null, null);
  }

  static Definition ofTest(Test test, DataType... sources) {
    return new Definition(
        null, List.of(sources), null, test, null, false, null, null, false, false, null, null);
  }

  Definition form(VectorForm of) {
    return new Definition(
        result, sources, lane, test, of, takesMask, clamped, implied, keepsHalf, modal, rounded,
        saturated);
  }

  Definition test(Test of) {
    return new Definition(
        result, sources, lane, of, form, takesMask, clamped, implied, keepsHalf, modal, rounded,
        saturated);
  }

  Definition takingMask() {
    return new Definition(
        result, sources, lane, test, form, true, clamped, implied, keepsHalf, modal, rounded,
        saturated);
  }

  Definition clamped(Lane of) {
    return new Definition(
        result, sources, lane, test, form, takesMask, of, implied, keepsHalf, modal, rounded,
        saturated);
  }

  Definition implied(int[] row) {
    return new Definition(
        result, sources, lane, test, form, takesMask, clamped, row, keepsHalf, modal, rounded,
        saturated);
  }

  Definition keepingHalf() {
    return new Definition(
        result, sources, lane, test, form, takesMask, clamped, implied, true, modal, rounded,
        saturated);
  }

  /** Depends on MODE's denormal bits alone: nothing is rounded. */
  Definition byMode() {
    Lane exact = lane;
    return byMode((a, b, c, rounding) -> exact == null ? 0 : exact.apply(a, b, c, false));
  }

  /** Depends on MODE; results under another rounding than to nearest are not known. */
  Definition onlyToNearest() {
    return new Definition(
        result, sources, lane, test, form, takesMask, clamped, implied, keepsHalf, true, null,
        saturated);
  }

  /** Depends on MODE. */
  Definition byMode(Rounded of) {
    return new Definition(
        result, sources, lane, test, form, takesMask, clamped, implied, keepsHalf, true, of,
        saturated);
  }

  /** Overflow saturates where MODE says so. */
  Definition saturated(Lane of) {
    return new Definition(
        result, sources, lane, test, form, takesMask, clamped, implied, keepsHalf, true, rounded,
        of);
  }

  /** The opcode under the clamp bit, or null where that is not an operation of its own. */
  @Nullable Definition underClamp() {
    return clamped == null
        ? null
        : new Definition(
            result, sources, clamped, test, null, takesMask, null, implied, keepsHalf, modal, null,
            saturated);
  }

  /** What has to be there. */
  static <T> T known(@Nullable T part) {
    return Objects.requireNonNull(part);
  }

  /** Registers of 32 bits of the result. */
  int words() {
    return result == null ? 0 : result.dwords();
  }

  /** Registers of 32 bits of a source; one for a source that is not there. */
  int words(int source) {
    return source < sources.size() ? sources.get(source).dwords() : 1;
  }
}
