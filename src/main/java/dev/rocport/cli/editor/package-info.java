/** The command {@code lsp}. */
@NullMarked
package dev.rocport.cli.editor;

import org.jspecify.annotations.NullMarked;
