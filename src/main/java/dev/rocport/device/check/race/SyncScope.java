package dev.rocport.device.check.race;

/** How far an access is coherent. */
enum SyncScope {
  /** No atomic at all. */
  PLAIN,
  /** An atomic of the workgroup's scope, or what can only be one. */
  GROUP,
  /** An atomic that all of the GPU sees, or more. */
  GPU,
  /** The code does not tell. */
  UNKNOWN
}
