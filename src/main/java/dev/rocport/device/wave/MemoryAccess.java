package dev.rocport.device.wave;

import dev.rocport.device.memory.MemoryFault.Access;
import dev.rocport.device.wave.AccessObserver.Kind;

/**
 * An access of lanes to memory.
 *
 * @param lanes bit l: lane l takes part
 * @param bytes of each lane
 * @param addresses of each lane, in this process; only valid while an observer is called
 * @param stride bytes from one dword of a lane's access to the next, 4 but for scratch in rows; 0
 *     where each byte lies elsewhere (the addresses are offsets then)
 */
public record MemoryAccess(
    Kind kind, Access access, long lanes, int bytes, long[] addresses, int stride) {}
