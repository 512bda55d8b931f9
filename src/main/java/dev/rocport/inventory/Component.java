package dev.rocport.inventory;

/**
 * A CUDA component.
 *
 * @param id of its row; {@code pypi:NAME} and {@code image:NAME} for what other tables know
 * @param group what it is for
 * @param counterpart what stands for it on ROCm; empty if nothing does
 * @param library that is linked for it on ROCm; may be empty
 * @param target of CMake that is linked for it on ROCm; may be empty
 * @param header that is included for it on ROCm; may be empty
 * @param purl of the project, for open-source projects; else empty
 * @param note one sentence
 */
public record Component(
    String id,
    String name,
    String group,
    String counterpart,
    String library,
    String target,
    String header,
    Support support,
    String purl,
    String note) {}
