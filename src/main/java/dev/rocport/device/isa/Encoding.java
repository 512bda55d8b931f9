package dev.rocport.device.isa;

/** The families of encodings of the vector ISA of GCN, as AMD's CDNA manuals name them. */
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
  MTBUF
}
