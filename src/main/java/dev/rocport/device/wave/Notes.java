package dev.rocport.device.wave;

/** The state that a check keeps for one wave. */
public interface Notes {}
