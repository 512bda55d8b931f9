package dev.rocport.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SourceListTest {
  @TempDir Path folder;

  @Test
  void readsListsWithTeams() throws Exception {
    Files.writeString(folder.resolve("a.tsv"), "# known\n\nx/app\tred\ny/app.tar.gz\n");
    List<Source> sources = SourceList.of(List.of("a.tsv", "z"), folder, Map.of());
    assertThat(sources).extracting(Source::name).containsExactlyInAnyOrder("app", "app", "z");
    assertThat(sources).extracting(Source::team).containsExactlyInAnyOrder("red", "", "");
    assertThat(sources)
        .extracting(Source::kind)
        .containsExactlyInAnyOrder(Source.Kind.FOLDER, Source.Kind.ARCHIVE, Source.Kind.FOLDER);
  }

  @Test
  void equalNamesHaveDifferentKeys() throws Exception {
    List<Source> sources = SourceList.of(List.of("x/app", "y/app", "x/../x/app"), folder, Map.of());
    assertThat(sources).hasSize(2);
    assertThat(sources.get(0).key()).startsWith("app-").isNotEqualTo(sources.get(1).key());
    assertThat(SourceList.of(List.of("y/app"), folder, Map.of())).isSubsetOf(sources);
  }

  @Test
  void theLargestComesFirst() throws Exception {
    Files.writeString(Files.createDirectory(folder.resolve("small")).resolve("f"), "1");
    Files.writeString(Files.createDirectory(folder.resolve("large")).resolve("f"), "12345");
    assertThat(SourceList.of(List.of("small", "large"), folder, Map.of()))
        .extracting(Source::name)
        .containsExactly("large", "small");
  }

  @Test
  void credentialsAreNotPartOfTheLocation() throws Exception {
    Source s =
        SourceList.of(List.of("https://me:s3cret@example.org/g/app.git"), folder, Map.of())
            .getFirst();
    assertThat(s.location()).isEqualTo("https://example.org/g/app.git");
    assertThat(s.credentials()).isEqualTo("me:s3cret");
    assertThat(s.name()).isEqualTo("app");
    assertThat(s.toString()).doesNotContain("s3cret");
    Source plain =
        SourceList.of(List.of("https://example.org/g/app.git"), folder, Map.of()).getFirst();
    assertThat(plain.key()).isEqualTo(s.key());
  }

  @Test
  void theEndOfAUrlMakesNoOtherRepository() throws Exception {
    List<String> urls =
        List.of("https://example.org/r", "https://example.org/r/", "https://example.org/r.git/");
    assertThat(SourceList.of(urls, folder, Map.of())).hasSize(1);
    Source last = SourceList.of(urls.reversed(), folder, Map.of()).getFirst();
    assertThat(last.location()).isEqualTo("https://example.org/r.git/");
    assertThat(last.name()).isEqualTo("r");
    assertThat(
            SourceList.of(
                List.of("file:///x/r", "file:///x/r.git", "file:///x/r/"), folder, Map.of()))
        .hasSize(2);
  }

  @Test
  void schemesMayBeInCapitals() throws Exception {
    Source s =
        SourceList.of(List.of("HTTPS://s3cret@example.org/app"), folder, Map.of()).getFirst();
    assertThat(s.kind()).isEqualTo(Source.Kind.GIT);
    assertThat(s.location()).isEqualTo("https://example.org/app");
    assertThat(s.credentials()).isEqualTo("s3cret");
  }

  @Test
  void passwordsWithReservedCharactersAreRefused() throws Exception {
    for (String url :
        List.of(
            "https://me:s3/cret@example.org/r.git",
            "https://me:s3@cret@example.org/r.git",
            "ssh://me:s3/cret@example.org/r.git",
            " https://me:s3cret@example.org/r.git")) {
      assertThatThrownBy(() -> SourceList.of(List.of(url), folder, Map.of()))
          .isInstanceOf(FleetException.class)
          .hasMessageContaining("Git URL")
          .hasMessageNotContaining("s3")
          .hasMessageNotContaining("cret");
    }
    Source s =
        SourceList.of(List.of("https://me:s3%40cret@example.org/r"), folder, Map.of()).getFirst();
    assertThat(s.location()).isEqualTo("https://example.org/r");
    assertThat(SourceList.of(List.of("file:///a@b/r"), folder, Map.of()).getFirst().location())
        .isEqualTo("file:///a@b/r");
  }

  @Test
  void unusableEntriesAreNamed() throws Exception {
    for (String url : List.of("ftp://example.org/a", "https://example.org/a?token=s3cret")) {
      assertThatThrownBy(() -> SourceList.of(List.of(url), folder, Map.of()))
          .isInstanceOf(FleetException.class)
          .hasMessageContaining("Git URL")
          .hasMessageNotContaining("s3cret");
    }
    Files.writeString(folder.resolve("b.tsv"), "x\ty\tz\n");
    assertThatThrownBy(() -> SourceList.of(List.of("b.tsv"), folder, Map.of()))
        .hasMessageContaining("b.tsv:1: more than two columns");
    assertThatThrownBy(() -> SourceList.of(List.of("none.tsv"), folder, Map.of()))
        .hasMessageContaining("cannot read the list");
  }

  @Test
  void urlsOfArchivesAreForHadoopsClient() throws Exception {
    Source s = SourceList.of(List.of("hdfs://name:8020/x/app.tar.gz"), folder, Map.of()).getFirst();
    assertThat(s.kind()).isEqualTo(Source.Kind.REMOTE_ARCHIVE);
    assertThat(s.name()).isEqualTo("app");
    assertThat(s.location()).isEqualTo("hdfs://name:8020/x/app.tar.gz");
    for (String url : List.of("s3a://key:s3cret@bucket/a.tar", "http://h/a.tgz?t=s3cret/b.tar")) {
      assertThatThrownBy(() -> SourceList.of(List.of(url), folder, Map.of()))
          .isInstanceOf(FleetException.class)
          .hasMessageContaining("URL of an archive")
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void aFileSystemWithoutItsLibraryEndsTheRun() throws Exception {
    Files.writeString(folder.resolve("s.tsv"), "# stored\ns3a://bucket/a.tar\n");
    Map<String, String> missing = Map.of("spark.hadoop.fs.s3a.impl", "no.such.S3");
    assertThatThrownBy(() -> SourceList.of(List.of("s.tsv"), folder, missing))
        .isInstanceOf(FleetException.class)
        .hasMessageContaining("s.tsv:2: s3a://: Hadoop's client needs a library")
        .hasMessageContaining("no.such.S3");
    Map<String, String> there =
        Map.of("spark.hadoop.fs.s3a.impl", "org.apache.hadoop.fs.http.HttpFileSystem");
    assertThat(SourceList.of(List.of("s.tsv"), folder, there)).hasSize(1);
  }
}
