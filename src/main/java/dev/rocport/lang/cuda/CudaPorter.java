package dev.rocport.lang.cuda;

import dev.rocport.core.result.Disposition;
import dev.rocport.core.result.Topic;
import dev.rocport.core.source.SourceFile;
import dev.rocport.lang.cuda.api.CompanionHeaders;
import dev.rocport.lang.cuda.api.HostMathPass;
import dev.rocport.lang.cuda.api.OverloadHeaderPass;
import dev.rocport.lang.cuda.api.OwnFunctionPass;
import dev.rocport.lang.cuda.condition.GuardChoice;
import dev.rocport.lang.cuda.condition.Regions;
import dev.rocport.lang.cuda.deviceptr.DeviceptrNames;
import dev.rocport.lang.cuda.embedded.Kernel;
import dev.rocport.lang.cuda.embedded.StringPass;
import dev.rocport.lang.cuda.guard.GuardPass;
import dev.rocport.lang.cuda.guard.OwnMapping;
import dev.rocport.lang.cuda.lex.Directive;
import dev.rocport.lang.cuda.lex.Lexer;
import dev.rocport.lang.cuda.lex.Tokens;
import dev.rocport.lang.cuda.mpi.FencePass;
import dev.rocport.lang.cuda.names.ApiTable;
import dev.rocport.lang.cuda.pass.CudaFile;
import dev.rocport.lang.cuda.pass.VanishPass;
import dev.rocport.lang.cuda.shmem.ShmemPass;
import dev.rocport.lang.cuda.shmem.ShmemUse;
import dev.rocport.lang.cuda.symbols.ApiUses;
import dev.rocport.lang.cuda.symbols.Declarations;
import dev.rocport.lang.cuda.symbols.Definition;
import dev.rocport.lang.cuda.symbols.Definition.Reach;
import dev.rocport.lang.cuda.symbols.MpiCalls;
import dev.rocport.lang.cuda.symbols.ProjectIndex;
import dev.rocport.lang.cuda.symbols.SharedNames;
import dev.rocport.lang.cuda.symbols.TextureReferences;
import dev.rocport.lang.cuda.warp.WarpPass;
import dev.rocport.lang.ptx.find.Lexicon;
import dev.rocport.rules.ApiName;
import dev.rocport.rules.Changes;
import dev.rocport.rules.PortOptions;
import dev.rocport.rules.Rule;
import dev.rocport.rules.RuleCatalog;
import dev.rocport.warp.WarpScan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Ports C, C++ and CUDA sources. Thread-safe: one porter serves all workers. */
public final class CudaPorter {
  private static final String LEXICAL = "SOURCE-BROKEN";

  private final RuleCatalog catalog;
  private final PortOptions options;
  private final ApiTable api;
  private final Pass.Tools tools;

  /** Rules about PTX are the only ones in force. */
  private final boolean onlyPtx;

  /** Whether a rule about warps is in force: without one nothing is found out about them. */
  private final boolean warps;

  /**
   * A porter for these rules and options.
   *
   * @throws dev.rocport.io.InvalidFileException if a rule's pattern makes no sense
   */
  public CudaPorter(RuleCatalog catalog, PortOptions options) {
    this.catalog = catalog;
    this.options = options;
    this.api = ApiTable.of(catalog, options);
    this.tools =
        new Pass.Tools(
            catalog,
            new VanishPass(catalog),
            new OwnFunctionPass(catalog),
            new HostMathPass(catalog),
            new OverloadHeaderPass(catalog),
            new FencePass(catalog),
            new Lexicon(api.ptx()));
    this.onlyPtx = catalog.areOnly(options.filter(), Topic.PTX);
    this.warps =
        catalog.rules().stream()
            .filter(r -> r.topic().isOfWarps())
            .map(Rule::id)
            .anyMatch(options.filter()::allows);
  }

  /** First look at a file: what it declares that other files must know. */
  public ProjectIndex.Scan scan(SourceFile file) {
    if (ToolkitHeaders.isCopy(file, api)) {
      return ToolkitHeaders.scan(file.path());
    }
    Tokens t = Lexer.lex(file);
    Declarations.Names names = Declarations.of(t, api, dead(t));
    TextureReferences textures = TextureReferences.of(t);
    List<Definition> definitions = new ArrayList<>(names.definitions());
    textures.templates().forEach(n -> definitions.add(new Definition(n, 0, Reach.INCLUDE)));
    definitions.addAll(OwnMapping.in(t, api));
    return new ProjectIndex.Scan(
        file.path(),
        false,
        t.directives().stream().filter(Directive::isInclude).map(t::included).toList(),
        List.copyOf(names.unknown()),
        List.copyOf(definitions),
        List.copyOf(textures.names()),
        SharedNames.in(t),
        CompanionHeaders.namesIn(t),
        DeviceptrNames.of(t).members(),
        List.of(),
        MpiCalls.in(t, tools.fence()::isSender),
        warps
            ? WarpPass.scan(file.path(), t, options.filter()::allows)
            : WarpScan.none(file.path()));
  }

  /**
   * Tells the tokens that CUDA or HIP never compiles; the guards are looked at when it is first
   * asked.
   */
  private IntPredicate dead(Tokens t) {
    return new IntPredicate() {
      private @Nullable Regions regions;

      @Override
      public boolean test(int i) {
        Regions known = regions;
        if (known == null) {
          CudaFile f = new CudaFile(t, unported(t.file()), ProjectIndex.EMPTY, options, api, true);
          GuardPass.run(f);
          known = f.regions;
          regions = known;
        }
        return known.isDead(i) || known.isForHip(i) || known.isForeign(i);
      }
    };
  }

  /** The API's names that a file uses, its own excepted; sorted. */
  public List<String> uses(SourceFile file) {
    Tokens t = Lexer.lex(file);
    return List.copyOf(ApiUses.of(t, api, dead(t)));
  }

  /** The places of a file that name something of NVSHMEM's, in order. */
  public List<ShmemUse> shmemUses(SourceFile file) {
    CudaFile f = new CudaFile(file, unported(file), ProjectIndex.EMPTY, options, api, true);
    GuardPass.run(f);
    return new ShmemPass(f).uses();
  }

  /** The name that the options choose for a row; empty if there is none. */
  public String target(ApiName name) {
    return api.target(name);
  }

  /** What the API tables say of a name; null for names that they do not hold. */
  public @Nullable ApiName api(String name) {
    ApiTable.Entry e = api.find(name);
    return e == null ? null : e.name;
  }

  /** What the tables say of a header's path in an include directive; null for other headers. */
  public @Nullable ApiName header(String path) {
    return api.header(path);
  }

  /**
   * The changes that the rules ask for.
   *
   * @param file a file whose encoding is text
   * @param project the index over all files of the run
   */
  public Changes port(SourceFile file, ProjectIndex project) {
    return run(file, project, false).changes;
  }

  /** The same, with what only a port in the form of gates asks for. */
  public CudaPort portForGates(SourceFile file, ProjectIndex project) {
    CudaFile f = run(file, project, false);
    List<GuardChoice> guards =
        f.guards.stream().sorted(Comparator.comparingInt(GuardChoice::start)).toList();
    return new CudaPort(f.changes, f.t, guards);
  }

  /** The same for a fragment: no include is added to it. */
  public Changes portSnippet(SourceFile file, ProjectIndex project) {
    return run(file, project, true).changes;
  }

  /**
   * Ports kernel source for run-time compilation that a file of another language holds.
   *
   * @param outer changes of the file that holds it
   * @param rule that its edits count for
   */
  public Kernel portKernel(SourceFile kernel, Changes outer, String rule) {
    return StringPass.port(
        kernel,
        outer.nested(kernel, rule),
        ProjectIndex.EMPTY,
        options,
        api,
        k -> CudaPasses.inString(k, tools));
  }

  /** No changes yet, for a file that is not CUDA. */
  public Changes unported(SourceFile file) {
    return new Changes(file, catalog, options.filter());
  }

  private CudaFile run(SourceFile file, ProjectIndex project, boolean snippet) {
    Changes changes = new Changes(file, catalog, options.filter());
    CudaFile f = new CudaFile(file, changes, project, options, api, snippet);
    for (Tokens.Problem p : f.t.problems()) {
      changes.finding(
          LEXICAL,
          Disposition.REVIEW,
          p.offset(),
          Math.min(file.length(), p.offset() + 1),
          p.message());
    }
    if (!ToolkitHeaders.isCopy(file, api)) {
      CudaPasses.run(f, tools, onlyPtx);
    }
    return f;
  }
}
