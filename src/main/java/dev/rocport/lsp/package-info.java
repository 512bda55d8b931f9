/** The language server: findings, changes and explanations for editors. Writes no file. */
@NullMarked
package dev.rocport.lsp;

import org.jspecify.annotations.NullMarked;
