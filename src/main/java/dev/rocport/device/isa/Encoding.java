package dev.rocport.device.isa;

/** The encoding families of the GCN vector ISA, named as in AMD's CDNA manuals. */
public enum Encoding {
  SOP2,
  SOPK,
  SOP1,
  SOPC,
  SOPP,
  SMEM,
  VOP1,
  VOP2,
  VOPC,
  VOP3,
  VOP3P,
  DS,
  FLAT,
  GLOBAL,
  SCRATCH,
  MUBUF,
  MTBUF,
  /** Images of RDNA 3. */
  MIMG,
  /** Images of RDNA 4: without samplers, and with them. */
  VIMAGE,
  VSAMPLE,
  /** The two halves of a dual instruction of RDNA 3, and the whole. */
  VOPDX,
  VOPDY,
  VOPD
}
