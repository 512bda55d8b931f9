package dev.rocport.device.nativecode;

import dev.rocport.device.isa.DataType;
import dev.rocport.device.isa.Operand;
import java.util.List;

/** A source of a lane step, with its scalars read. */
sealed interface Source {
  /** One word in each lane, as an operand of vectors of i32. */
  String word(Chunk c, int word);

  /** Vector or accumulation registers. */
  record Registers(boolean accumulator, int first) implements Source {
    @Override
    public String word(Chunk c, int word) {
      return c.register(accumulator, first + word);
    }
  }

  /** The same in all lanes. */
  record Uniform(List<String> words) implements Source {
    @Override
    public String word(Chunk c, int word) {
      String value = words.get(word);
      return value.startsWith("%") ? c.splat("i32", value) : "splat (i32 %s)".formatted(value);
    }
  }

  static boolean knows(Operand operand) {
    return operand instanceof Operand.Vector
        || operand instanceof Operand.Accumulator
        || Scalars.knows(operand);
  }

  static Source of(WaveFunction f, Operand operand, DataType type) {
    return of(f, operand, type, type.dwords());
  }

  static Source of(WaveFunction f, Operand operand, DataType type, int words) {
    return switch (operand) {
      case Operand.Vector(int register, int _) -> {
        f.uses(false, register, words);
        yield new Registers(false, register);
      }
      case Operand.Accumulator(int register, int _) -> {
        f.uses(true, register, words);
        yield new Registers(true, register);
      }
      default ->
          new Uniform(
              words == 1
                  ? List.of(Scalars.word(f, operand, type))
                  : List.of(Scalars.word(f, operand, type, 0), Scalars.word(f, operand, type, 1)));
    };
  }
}
