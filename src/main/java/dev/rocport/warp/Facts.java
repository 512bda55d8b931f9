package dev.rocport.warp;

import dev.rocport.warp.ir.Unit;
import dev.rocport.warp.proof.FunctionTable;
import java.util.Optional;

/** What the files of a project say together about warps. */
interface Facts {
  FunctionTable functions();

  LaunchSizes launches();

  /** Returns the tree of a file; empty if there is none, or no such file. */
  Optional<Unit> unit(String path);

  /** Returns how often a function is named in what trees show, its definitions excluded. */
  int mentions(String name);

  /** Returns whether a name is used where no tree shows what for. */
  boolean isUnclear(String name);

  /** Who includes headers. */
  Includers includers();
}
