// What the kernel says of this process and others.
#ifndef TALWEG_TESTS_SERVER_PROCESS_FACTS_H_
#define TALWEG_TESTS_SERVER_PROCESS_FACTS_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace talweg::test {

size_t OpenDescriptors();

// Mappings of our shared memory in a process; "self" by default.
size_t MappedSegments(const std::string& process = "self");

// Children of this process, ended and not yet reaped ones included.
size_t Children();

// Waits for a condition, looking every millisecond; false at the time-out.
bool WaitFor(const std::function<bool()>& condition,
             std::chrono::milliseconds timeout = std::chrono::seconds(20));

}  // namespace talweg::test

#endif  // TALWEG_TESTS_SERVER_PROCESS_FACTS_H_
