package dev.rocport.device.wave;

/** What a check keeps of one wave. */
public interface Notes {}
