package dev.rocport.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.rocport.core.source.SourceTree;
import dev.rocport.core.source.TreeSelection;
import dev.rocport.render.text.Paper;
import dev.rocport.rules.RuleCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The forms of a bill, compared with their schemas and with the committed files. */
class BillFormsTest {
  private static final Path HOME = Path.of(System.getProperty("rocport.home"));
  private static final ComponentTable TABLE = new ComponentTable(RuleCatalog.builtIn(), "6.4");

  private static Bill bill(String fixture) {
    try {
      Path path = HOME.resolve("fixtures").resolve(fixture);
      SourceTree tree = SourceTree.walk(TreeSelection.of(List.of(path)));
      return BillScan.of(TABLE, tree, List.of(fixture), 32 << 20, 2);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String json(Bill bill) {
    StringWriter out = new StringWriter();
    BillJson.write(bill, "1", out);
    return out.toString();
  }

  private static String cyclonedx(Bill bill) {
    StringWriter out = new StringWriter();
    CycloneDx.write(bill, "1", out);
    return out.toString();
  }

  private static List<Error> ownErrors(String json) {
    try (InputStream in = BillJson.class.getResourceAsStream("bill.schema.json")) {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(in, InputFormat.JSON)
          .validate(json, InputFormat.JSON);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The standard's schema names two others by addresses: all three come from its own library. */
  private static List<Error> standardErrors(String json) {
    Schema schema =
        SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_7, b -> b.schemas(BillFormsTest::standard))
            .getSchema(standard("http://cyclonedx.org/schema/bom-1.6.schema.json"));
    return schema.validate(json, InputFormat.JSON);
  }

  private static String standard(String address) {
    String name = address.substring(address.lastIndexOf('/'));
    try (InputStream in = BillFormsTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void fixturesHaveTheBillsThatAreCommitted() throws IOException {
    for (String fixture : List.of("cublas_gemm", "cmake_modern", "python/pins_service")) {
      Path golden =
          HOME.resolve("src/test/goldens/bill").resolve(fixture.replace('/', '_') + ".txt");
      String text = BillText.of(bill(fixture), Paper.PLAIN);
      assertThat(text).as(golden.toString()).isEqualTo(Files.readString(golden));
    }
  }

  @Test
  void largerFixturesHaveTheirParts() {
    assertThat(BillText.of(bill("symm-mem"), Paper.PLAIN))
        .contains("NVSHMEM             -        partly   rocSHMEM")
        .contains("without a counterpart: 1 (nvshmemx_collective_launch)")
        .contains("link       Makefile:11: -lnvshmem_device");
    assertThat(BillText.of(bill("allreduce"), Paper.PLAIN))
        .contains("flag       m4/ax_check_cuda.m4:51: cuda_runtime.h")
        .contains("sm_70: flag (m4/ax_check_cuda.m4:13)");
  }

  @Test
  void jsonIsWhatItsSchemaSays() {
    for (String fixture : List.of("symm-mem", "cmake_modern", "python/pins_service", "ptx/warp")) {
      assertThat(ownErrors(json(bill(fixture)))).as(fixture).isEmpty();
    }
    String json = json(bill("cmake_modern"));
    assertThat(ownErrors(json.replace("\"evidence\"", "\"proof\""))).isNotEmpty();
    assertThat(ownErrors(json.replace("\"support\" : \"yes\"", "\"support\" : \"maybe\"")))
        .isNotEmpty();
  }

  @Test
  void cyclonedxIsWhatTheStandardSays() {
    for (String fixture : List.of("symm-mem", "cmake_modern", "python/pins_service", "ptx/warp")) {
      assertThat(standardErrors(cyclonedx(bill(fixture)))).as(fixture).isEmpty();
    }
    String json = cyclonedx(bill("python/pins_service"));
    assertThat(standardErrors(json.replace("\"location\"", "\"place\""))).isNotEmpty();
    assertThat(standardErrors(json.replace("\"type\" : \"library\"", "\"type\" : \"lib\"")))
        .isNotEmpty();
  }

  @Test
  void cyclonedxHasPackagesPlacesAndStatesAndNoTime() {
    String text = cyclonedx(bill("python/pins_service"));
    assertThat(text).isEqualTo(cyclonedx(bill("python/pins_service")));
    assertThat(text).doesNotContain("serialNumber", "timestamp");
    Set<String> refs = new HashSet<>();
    boolean found = false;
    for (JsonNode c : JsonMapper.shared().readTree(text).at("/components")) {
      assertThat(refs.add(c.path("bom-ref").asString())).isTrue();
      assertThat(c.path("properties").toString()).contains("rocport:support");
      for (JsonNode inner : c.path("components")) {
        assertThat(refs.add(inner.path("bom-ref").asString())).isTrue();
        found |=
            inner.path("purl").asString().equals("pkg:pypi/nvidia-cublas-cu12@12.4.5.8")
                && inner.at("/evidence/occurrences/0/line").asInt() == 7;
      }
    }
    assertThat(found).isTrue();
  }

  @Test
  void csvHasARowForEachPieceOfEvidence() {
    Bill bill = bill("cmake_modern");
    int evidence = bill.uses().stream().mapToInt(u -> u.evidence().size()).sum();
    assertThat(BillCsv.of(bill).split("\r\n")).hasSize(evidence + 1);
    assertThat(BillCsv.of(bill)).contains("cublas,cuBLAS,yes,hipBLAS,cmake,mesh/CMakeLists.txt,11");
  }

  @Test
  void markdownHasARowForEachComponent() {
    assertThat(BillMarkdown.of(bill("cmake_modern")))
        .contains("| cuBLAS |  | yes | hipBLAS | include 1, name 10, cmake 1 |")
        .contains("## NVIDIA GPUs");
  }

  @Test
  void theDocumentHoldsAllComponents() throws IOException {
    assertThat(Files.readString(HOME.resolve("docs/bill.md")))
        .as("docs/bill.md ends with what 'rocport bill --known' prints")
        .endsWith(BillMarkdown.known(TABLE.components()));
  }
}
