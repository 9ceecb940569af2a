// The two descriptors a parent may hand over.
#ifndef TALWEG_APP_DESCRIPTORS_H_
#define TALWEG_APP_DESCRIPTORS_H_

#include <string>

namespace talweg::app {

// Makes an inherited descriptor close-on-exec, so that no worker holds it;
// false when it is not open.
bool AdoptDescriptor(int fd);

// Writes `line` and a newline to `fd` and closes it; nothing when fd < 0.
void AnnounceReady(int fd, const std::string& line);

}  // namespace talweg::app

#endif  // TALWEG_APP_DESCRIPTORS_H_
