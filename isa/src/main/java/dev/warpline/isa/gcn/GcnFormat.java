package dev.warpline.isa.gcn;

/** Encoding formats. FLAT, GLOBAL and SCRATCH are the three segments of one format. */
public enum GcnFormat {
  SOP2,
  SOPK,
  SOP1,
  SOPC,
  SOPP,
  SMEM,
  VOP2,
  VOP1,
  VOPC,
  VOP3,
  VOP3P,
  DS,
  FLAT,
  GLOBAL,
  SCRATCH,
  MUBUF,
  MTBUF,
  MIMG
}
