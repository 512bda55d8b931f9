package dev.rocport.device.codeobject;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of kernels as people write them. */
final class KernelNameTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "saxpy | saxpy",
        "_Z5saxpyPf | saxpy",
        "_ZN5space6kernelEPf | space::kernel",
        "_ZN12_GLOBAL__N_16kernelEPf | (anonymous namespace)::kernel",
        "_Z7messageILb0EEvPiS0_S0_ | message<false>",
        "_Z9transposeIsLi16EEvPKT_PS0_ii | transpose<short, 16>",
        "_ZN2ns4copyIPdLin3EEEvv | ns::copy<double*, -3>",
        "_Z3runI5StateEvT_ | run<State>",
      })
  void areReadable(String mangled, String readable) {
    assertThat(KernelName.readable(mangled)).isEqualTo(readable);
  }

  /** Substitutions, packs and expressions are left as they are. */
  @ParameterizedTest
  @CsvSource({
    "_Z3runISt6vectorIiEEvT_",
    "_Z3runIJifEEvDpT_",
    "_Z3runILf40400000EEvv",
    "_Z9ab",
    "_Z3runI"
  })
  void stayWhereUnsure(String mangled) {
    assertThat(KernelName.readable(mangled)).isEqualTo(mangled);
  }
}
