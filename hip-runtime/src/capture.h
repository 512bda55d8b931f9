// Stream capture: operations of streams become nodes of a graph.
#pragma once

#include <memory>

#include "operation.h"

namespace rocport {

class Event;
class Stream;

/** Whether the stream is captured and has taken the operation; also where nothing may be done. */
bool captured(Stream& stream, const Operation& operation);

bool isCapturing(Stream& stream);

/** Memory for a captured hipMallocAsync. */
void* captureAllocation(Stream& stream, size_t bytes);

/** Records an event in a captured stream. False where the stream is not captured. */
bool capturesRecord(Stream& stream, const std::shared_ptr<Event>& event, bool external);

/** Makes a stream depend on a captured event, which may add the stream to the capture. */
bool capturesWait(Stream& stream, const std::shared_ptr<Event>& event, bool external);

/** For calls that cannot be captured: fails, and spoils the capture, where the stream is. */
void forbidWhileCapturing(Stream& stream);

/** For calls that could wait for a capture: fails where the thread's mode forbids them now. */
void forbidUnsafe();

/** For calls that wait for all streams of a device: fails, and spoils the captures, where one is captured. */
void forbidWhileCapturing(int device);

/** For calls that would wait for an event that was only captured. */
void forbidCaptured(Event& event);

/** Ends the part that a stream has in a capture, when the stream is destroyed. */
void abandonCapture(Stream& stream);

}  // namespace rocport
