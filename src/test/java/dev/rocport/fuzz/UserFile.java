package dev.rocport.fuzz;

import dev.rocport.assess.GateFile;
import dev.rocport.assess.SuppressionFile;
import dev.rocport.buildsystem.BuildFiles;
import dev.rocport.commandline.CommandDatabase;
import dev.rocport.commandline.CommandLine;
import dev.rocport.core.source.SourceFile;
import dev.rocport.device.codeobject.BadCodeObjectException;
import dev.rocport.device.codeobject.CodeObject;
import dev.rocport.device.codeobject.FatBinary;
import dev.rocport.inventory.binary.Binaries;
import dev.rocport.io.InvalidFileException;
import dev.rocport.io.elf.ElfFile;
import dev.rocport.lang.cuda.CudaPorter;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.java.JavaPorter;
import dev.rocport.lang.ptx.PtxException;
import dev.rocport.lang.ptx.PtxParser;
import dev.rocport.lang.ptx.find.PtxFiles;
import dev.rocport.lang.python.PythonPorter;
import dev.rocport.lang.python.PythonProject;
import dev.rocport.packaging.Packages;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.rules.RuleLoader;
import dev.rocport.verify.tensor.TensorFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The kinds of file that a user may hand to rocport, each with the code that reads it. Whatever the
 * bytes are, it is read, or refused with the error that its reader documents; edits never overlap.
 */
enum UserFile {
  CUDA("file.cu"),
  CUDA_HEADER("file.cuh"),
  C("file.c"),
  PYTHON("file.py"),
  NOTEBOOK("file.ipynb"),
  JAVA("File.java"),
  CMAKE("CMakeLists.txt"),
  MAKE("Makefile"),
  SHELL("build.sh"),
  MESON("meson.build"),
  BAZEL("BUILD.bazel"),
  AUTOMAKE("Makefile.am"),
  CONFIGURE("configure.ac"),
  SCONS("SConstruct"),
  REQUIREMENTS("requirements.txt"),
  DOCKERFILE("Dockerfile"),
  COMPOSE("docker-compose.yml"),
  CONDA("environment.yml"),
  PYPROJECT("pyproject.toml"),
  PTX_MODULE("module.ptx"),
  TRITON_IR("kernel.ttir"),
  INLINE_PTX("asm.txt"),
  NVCC_COMMAND("command.txt"),
  COMPILE_COMMANDS("compile_commands.json"),
  CONFIGURATION(".rocport.yaml"),
  RULES("rules.yaml"),
  ELF("program"),
  BINARY("library.a"),
  CODE_OBJECT("kernel.co"),
  FAT_BINARY("kernel.hipfb"),
  TENSORS("out.safetensors");

  private static final RuleCatalog CATALOG = RuleCatalog.builtIn();
  private static final PortOptions OPTIONS = PortOptions.DEFAULT;
  private static final CudaPorter PORTER = new CudaPorter(CATALOG, OPTIONS);

  private final String file;

  UserFile(String file) {
    this.file = file;
  }

  /** The name of the folder with its seeds. */
  String folder() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Reads the bytes as a file of this kind.
   *
   * @param scratch a folder for readers that take a file
   */
  void read(byte[] bytes, Path scratch) throws Exception {
    SourceFile source = new SourceFile(file, bytes);
    try {
      switch (this) {
        case CUDA, CUDA_HEADER, C ->
            apply(PORTER.port(source, ProjectIndex.of(List.of(PORTER.scan(source)))));
        case PYTHON, NOTEBOOK ->
            apply(new PythonPorter(CATALOG, OPTIONS).port(source, PythonProject.NONE));
        case JAVA -> apply(new JavaPorter(CATALOG, OPTIONS, PORTER).port(source));
        case CMAKE, MAKE, SHELL, MESON, BAZEL, AUTOMAKE, CONFIGURE, SCONS ->
            apply(BuildFiles.portSnippet(CATALOG, OPTIONS, source));
        case REQUIREMENTS, DOCKERFILE, COMPOSE, CONDA, PYPROJECT ->
            apply(Packages.portSnippet(CATALOG, OPTIONS, source).changes());
        case PTX_MODULE, TRITON_IR -> apply(new PtxFiles(CATALOG, OPTIONS).find(source));
        case INLINE_PTX -> PtxParser.template(text(bytes));
        case NVCC_COMMAND -> CommandLine.parse("nvcc", List.of(text(bytes).split("\n")), scratch);
        case COMPILE_COMMANDS -> CommandDatabase.read(written(bytes, scratch).getParent());
        case CONFIGURATION -> configuration(written(bytes, scratch).getParent());
        case RULES -> RuleLoader.load(written(bytes, scratch).getParent());
        case ELF -> elf(ElfFile.of(ByteBuffer.wrap(bytes), file));
        case BINARY -> Binaries.of(written(bytes, scratch), file);
        case CODE_OBJECT -> CodeObject.read(bytes);
        case FAT_BINARY -> FatBinary.targets(bytes);
        case TENSORS -> tensors(written(bytes, scratch));
      }
    } catch (IOException
        | PtxException
        | CommandDatabase.DatabaseException
        | InvalidFileException
        | BadCodeObjectException e) {
      // Rejected, as documented, with a message for the user.
      if (e.getMessage() == null || e.getMessage().isBlank()) {
        throw new AssertionError("refused without a reason", e);
      }
    }
  }

  private static void apply(Changes changes) {
    changes.edits().apply(changes.file().bytes());
  }

  private static void elf(ElfFile file) throws IOException {
    file.soname();
  }

  private static void configuration(Path root) throws IOException {
    try {
      SuppressionFile.read(root);
    } finally {
      GateFile.read(root); // refuses other things in the same file
    }
  }

  private static void tensors(Path file) throws IOException {
    TensorFile tensors = TensorFile.read(file);
    tensors.tensors();
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private Path written(byte[] bytes, Path scratch) throws IOException {
    return Files.write(scratch.resolve(file), bytes);
  }
}
