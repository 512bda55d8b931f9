package dev.rocport.device.wave;

/** Whether a wave can run. */
public enum WaveState {
  READY,
  /** It waits at s_barrier for the other waves of its workgroup. */
  BARRIER,
  /** It waits for all workgroups, at a grid-wide barrier (ds_gws_barrier). */
  GRID_BARRIER,
  /** It executed s_sleep or was waiting: other waves run first, then it is ready again. */
  YIELDED,
  ENDED
}
